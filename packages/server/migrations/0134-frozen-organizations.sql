-- phase: expand
-- An organization that moves to another installation takes no changes meanwhile: set from the export until the operator
-- deletes or thaws it. Changes are refused where they are recorded, and jobs wait.

alter table organizations add column frozen_at timestamptz;

-- the workers look at it each time they take jobs
create index organizations_frozen on organizations (id) where frozen_at is not null;
