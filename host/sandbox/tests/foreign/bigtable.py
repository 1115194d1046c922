"""Reads a Bigtable change stream through Google's generated Python client, and follows its partitions.

    bigtable.py ADDRESS TABLE APP_PROFILE START END

prints every mutation as one JSON object a line, with the members that the Rust tests compare.
"""

import base64
import json
import queue
import sys
import threading
from datetime import datetime

import grpc
from google.cloud.bigtable_v2 import types
from google.cloud.bigtable_v2.services.bigtable import BigtableClient
from google.cloud.bigtable_v2.services.bigtable.transports import BigtableGrpcTransport

OUT_OF_RANGE = 11


def text(data):
    return base64.b64encode(data).decode()


def instant(moment):
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond:06}Z"


def value(given):
    kind = types.Value.pb(given).WhichOneof("kind")
    inner = getattr(given, kind)
    return text(inner) if kind == "raw_value" else inner


def entry(mutation, cell_value=None):
    kind = types.Mutation.pb(mutation).WhichOneof("mutation")
    inner = getattr(mutation, kind)
    if kind == "set_cell":
        return {
            "kind": "set_cell",
            "family": inner.family_name,
            "qualifier": text(inner.column_qualifier),
            "timestamp_micros": inner.timestamp_micros,
            "value": text(inner.value if cell_value is None else cell_value),
        }
    if kind == "delete_from_column":
        return {
            "kind": "delete_cells",
            "family": inner.family_name,
            "qualifier": text(inner.column_qualifier),
            "start_timestamp_micros": inner.time_range.start_timestamp_micros,
            "end_timestamp_micros": inner.time_range.end_timestamp_micros or None,
        }
    if kind == "delete_from_family":
        return {"kind": "delete_family", "family": inner.family_name}
    return {
        "kind": kind,
        "family": inner.family_name,
        "qualifier": value(inner.column_qualifier),
        "timestamp_micros": value(inner.timestamp),
        "input": value(inner.input),
    }


class Merger:
    """Puts a mutation together again that came in several messages."""

    def __init__(self):
        self.first = None

    def push(self, change):
        if self.first is None:
            self.first, self.entries, self.cell = change, [], None
        for chunk in change.chunks:
            if "chunk_info" not in chunk:
                self.entries.append(entry(chunk.mutation))
                continue
            if chunk.chunk_info.chunked_value_offset == 0:
                self.cell = (chunk.mutation, b"")
            mutation, had = self.cell
            had += chunk.mutation.set_cell.value
            self.cell = (mutation, had)
            if chunk.chunk_info.last_chunk:
                assert len(had) == chunk.chunk_info.chunked_value_size
                self.entries.append(entry(mutation, had))
        if not change.done:
            return None
        first, self.first = self.first, None
        at, row = instant(first.commit_timestamp), text(first.row_key)
        return {
            "id": f"{at}/{first.tiebreaker}/{first.source_cluster_id}/{row}",
            "row_key": row,
            "mutation_type": first.type_.name.lower(),
            "source_cluster_id": first.source_cluster_id,
            "commit_timestamp": at,
            "tie_breaker": first.tiebreaker,
            "entries": self.entries,
        }


def bounds(partition):
    return partition.row_range.start_key_closed, partition.row_range.end_key_open


def tiles(partition, tokens):
    """Whether the tokens are of exactly the partition."""
    start, end = bounds(partition)
    for token in tokens:
        token_start, token_end = bounds(token.partition)
        if token_start != start:
            return False
        start = token_end
    return start == end


def read(client, asked, events):
    """Reads one partition up to its close, and says where it goes on."""
    try:
        merger, close = Merger(), None
        for response in client.read_change_stream(request=asked):
            if "data_change" in response:
                merged = merger.push(response.data_change)
                if merged is not None:
                    events.put(("mutation", merged))
            elif "close_stream" in response:
                close = response.close_stream
        if close is None:
            raise RuntimeError("the stream ended without a close")
        if close.status.code not in (0, OUT_OF_RANGE):
            raise RuntimeError(f"closed with {close.status}")
        events.put(("closed", list(zip(close.new_partitions, close.continuation_tokens))))
    except Exception as error:  # whatever it is ends the program
        events.put(("failed", error))


def main(address, table, app_profile, start, end):
    transport = BigtableGrpcTransport(channel=grpc.insecure_channel(address))
    client = BigtableClient(transport=transport)
    events, waiting, streams = queue.Queue(), {}, 0

    def begin(**start_from):
        asked = types.ReadChangeStreamRequest(
            table_name=table, app_profile_id=app_profile, end_time=end, **start_from
        )
        threading.Thread(target=read, args=(client, asked, events), daemon=True).start()

    first = client.generate_initial_change_stream_partitions(
        table_name=table, app_profile_id=app_profile
    )
    for response in first:
        begin(partition=response.partition, start_time=start)
        streams += 1
    while streams:
        kind, what = events.get()
        if kind == "failed":
            raise what
        if kind == "mutation":
            print(json.dumps(what))
            continue
        streams -= 1
        for partition, token in what:
            tokens = waiting.setdefault(bounds(partition), [])
            tokens.append(token)
            tokens.sort(key=lambda token: token.partition.row_range.start_key_closed)
            if tiles(partition, tokens):
                del waiting[bounds(partition)]
                begin(partition=partition, continuation_tokens={"tokens": tokens})
                streams += 1
    if waiting:
        raise RuntimeError(f"partitions that never were whole: {sorted(waiting)}")


if __name__ == "__main__":
    address, table, app_profile, start, end = sys.argv[1:]
    main(address, table, app_profile, *map(datetime.fromisoformat, (start, end)))
