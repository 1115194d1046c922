"""A deserializer in Python: one JSON text per row change, with the id, the table, the kind of
modification and the new values. README.md beside this folder says how it is built."""

import json
from typing import List

import wit_world.exports
from componentize_py_types import Err
from wit_world.imports import log, spanner, types


class Column:
    """A column that is written value by value."""

    def __init__(self) -> None:
        self.bytes = bytearray()
        self.ends: List[int] = []

    def append(self, text: str) -> None:
        self.bytes += text.encode()
        self.ends.append(len(self.bytes))

    def texts(self) -> types.Texts:
        return types.Texts(bytes(self.bytes), self.ends)

    def blobs(self) -> types.Blobs:
        return types.Blobs(bytes(self.bytes), self.ends)


def text(column: types.Texts, index: int) -> str:
    start = column.ends[index - 1] if index else 0
    return column.bytes[start : column.ends[index]].decode()


class Plugin(wit_world.exports.Plugin):
    def describe(self) -> types.Description:
        return types.Description("python", "0.1.0", [], "/id")

    def configure(self, config: str) -> None:
        unknown = [types.ConfigError(name, "no such parameter") for name in json.loads(config)]
        if unknown:
            raise Err(unknown)
        log.write(log.Level.DEBUG, "configured")


class SpannerDeserialize(wit_world.exports.SpannerDeserialize):
    def deserialize(self, batch: spanner.Changes) -> types.Outputs:
        source: List[int] = []
        keys, values = Column(), Column()
        start = 0
        for record, end in enumerate(batch.mod_ends):
            for row in range(start, end):
                source.append(record)
                keys.append(text(batch.keys.texts, row))
                values.append(value(batch, record, row))
            start = end
        no_topics = types.Texts(b"", [])
        return types.Outputs(source, keys.blobs(), values.texts(), no_topics, [])

    def deserialize_control(self, event: types.Control) -> List[types.ControlOutput]:
        gap = event.value
        return [types.ControlOutput("", json.dumps({"id": gap.id, "control": "gap"}), "")]


def value(batch: spanner.Changes, record: int, row: int) -> str:
    new_values = text(batch.new_values.texts, row)
    return json.dumps(
        {
            "id": text(batch.mod_ids, row),
            "table_name": text(batch.tables.names, batch.table[record]),
            "mod_type": text(batch.mod_types, record),
            "new_values": json.loads(new_values) if new_values else None,
        }
    )
