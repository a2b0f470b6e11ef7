-- How often the sweep has tried to end a run whose process died, noted before each try: what cannot be ended with what it
-- left is ended without it, and holds up no other.
alter table invocations add column sweep_tries smallint not null default 0;
