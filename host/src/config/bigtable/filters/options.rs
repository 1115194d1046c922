//! The options that say which mutations and entries are let through.

use crate::config::Kind;
use crate::config::change_stream::options as change_stream;
use crate::config::guest_ref;
use crate::config::option::{OptionSpec, Presence};
use crate::config::resource_name::PART;

pub(crate) const FAMILY_INCLUDE_LIST: OptionSpec = OptionSpec::new(
    "family-include-list",
    "a list of Java regular expressions",
    Presence::Default("[]"),
    "Only entries whose whole column family matches one of these. Empty is no filter. Not together \
     with family-exclude-list.",
)
.or_called(&["familyIncludeList"]);

pub(crate) const FAMILY_EXCLUDE_LIST: OptionSpec = OptionSpec::new(
    "family-exclude-list",
    "a list of Java regular expressions",
    Presence::Default("[]"),
    "No entries whose whole column family matches one of these. Empty is no filter. Not together \
     with family-include-list.",
)
.or_called(&["familyExcludeList"])
.not_with(&["family-include-list"]);

pub(crate) const QUALIFIER_INCLUDE_LIST: OptionSpec = OptionSpec::new(
    "qualifier-include-list",
    "a list of Java regular expressions",
    Presence::Default("[]"),
    "Only entries whose whole family:qualifier matches one of these, the qualifier in padded \
     standard Base64. The deletion of a family has no qualifier and always passes here. Empty is no \
     filter. Not together with qualifier-exclude-list.",
)
.or_called(&["qualifierIncludeList"]);

pub(crate) const QUALIFIER_EXCLUDE_LIST: OptionSpec = OptionSpec::new(
    "qualifier-exclude-list",
    "a list of Java regular expressions",
    Presence::Default("[]"),
    "No entries whose whole family:qualifier matches one of these, the qualifier in padded standard \
     Base64. The deletion of a family has no qualifier and always passes here. Empty is no filter. \
     Not together with qualifier-include-list.",
)
.or_called(&["qualifierExcludeList"])
.not_with(&["qualifier-include-list"]);

pub(crate) const SKIP_MESSAGES_WITHOUT_CHANGE: OptionSpec =
    change_stream::SKIP_MESSAGES_WITHOUT_CHANGE.doing(
        "Leaves a mutation out if the filters removed every entry that it had. One that came \
         without entries always passes.",
    );

pub(crate) const INCLUDE_GARBAGE_COLLECTION: OptionSpec = OptionSpec::new(
    "include-garbage-collection",
    "true or false",
    Presence::Default("true"),
    "Whether mutations by which garbage collection deletes cells pass.",
)
.or_called(&["includeGarbageCollection"]);

pub(crate) const SOURCE_CLUSTER_INCLUDE_LIST: OptionSpec = OptionSpec::new(
    "source-cluster-include-list",
    "a list of cluster ids",
    Presence::Default("[]"),
    "Only mutations that were written to one of these clusters, by their whole ids. Empty is no \
     filter. Mutations by garbage collection have no cluster: include-garbage-collection alone \
     decides on them.",
)
.or_called(&["sourceClusterIncludeList"])
.of_kind(Kind::List {
    min: 0,
    max: u64::MAX,
    of: &PART,
});

pub(crate) const NAMES_FILTER: OptionSpec = guest_ref::NAMES_FILTER.not_with(&[
    "family-include-list",
    "family-exclude-list",
    "qualifier-include-list",
    "qualifier-exclude-list",
]);
