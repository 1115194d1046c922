//! Options of the builders that this version does not have, each with the reason.

use crate::config::option::OptionSpec;

const METADATA_TABLE: &str = "belongs to a later version, which can keep its state in a table of \
    Bigtable; here it is kept in files: see checkpoint";

pub(crate) const METADATA_TABLE_PROJECT_ID: OptionSpec =
    OptionSpec::refused("metadata-table-project-id", METADATA_TABLE)
        .or_called(&["metadataTableProjectId", "withMetadataTableProjectId"]);

pub(crate) const METADATA_TABLE_INSTANCE_ID: OptionSpec =
    OptionSpec::refused("metadata-table-instance-id", METADATA_TABLE)
        .or_called(&["metadataTableInstanceId", "withMetadataTableInstanceId"]);

pub(crate) const METADATA_TABLE_TABLE_ID: OptionSpec =
    OptionSpec::refused("metadata-table-table-id", METADATA_TABLE).or_called(&[
        "metadata-table-id",
        "metadataTableTableId",
        "withMetadataTableTableId",
    ]);

pub(crate) const METADATA_TABLE_APP_PROFILE_ID: OptionSpec =
    OptionSpec::refused("metadata-table-app-profile-id", METADATA_TABLE)
        .or_called(&["metadataTableAppProfileId", "withMetadataTableAppProfileId"]);

pub(crate) const CREATE_OR_UPDATE_METADATA_TABLE: OptionSpec =
    OptionSpec::refused("create-or-update-metadata-table", METADATA_TABLE).or_called(&[
        "createOrUpdateMetadataTable",
        "withCreateOrUpdateMetadataTable",
    ]);
