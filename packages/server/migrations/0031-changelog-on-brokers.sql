-- Changes that a message broker takes: the organization's, and those of entities of a blueprint.

alter table changelog_destinations
  drop constraint changelog_destinations_type_check,
  alter column url drop not null,
  add constraint changelog_destinations_type_check check (type in ('WEBHOOK', 'KAFKA')),
  add constraint changelog_destinations_url_check check ((url is null) = (type = 'KAFKA'));

-- read beside has_changelog, only where there is a broker
alter table blueprints
  add column has_broker_changelog boolean generated always as (
    coalesce(definition #>> '{changelogDestination,type}' = 'KAFKA'
      or coalesce(definition #>> '{changelogDestination,agent}', 'false') = 'true', false)) stored;
