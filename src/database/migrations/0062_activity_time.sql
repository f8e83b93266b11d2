-- The time of activities, for searches of words in those of a whole workspace since some time. Records arrive in order
-- of time, so a summary of each range of pages finds them, and takes next to nothing.
create index activities_time on activities using brin (created_at) with (autosummarize = on);
