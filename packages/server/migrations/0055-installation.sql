-- What is true of the installation as a whole. One row, made by the first start.
create table installation (
  is_only boolean primary key default true check (is_only),
  -- A text that the master key sealed: a process with another key cannot open it, and does not start.
  key_check text not null
);
