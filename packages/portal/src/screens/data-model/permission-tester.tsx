import { Alert, Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { ErrorState } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { ColourBadge } from '../../parts/badges.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import type { Blueprint } from './blueprint-draft.ts';
import classes from './data-model.module.css';
import { grantNames, grantTitles } from './permission-draft.ts';

/** What a chosen user may do and by which rule, including unsaved changes. */
export function PermissionTester({
  blueprint,
  change,
}: {
  blueprint: Blueprint;
  change: { readonly entities: Record<string, unknown> } | undefined;
}) {
  const users = useRead('listUsers');
  const [user, setUser] = useState('');
  const [operation, setOperation] = useState<string>('read');
  const [entity, setEntity] = useState('');
  const explain = useChange('explainPermission');
  const simulate = useChange('simulatePermissions');
  const params = { blueprint_identifier: blueprint.identifier };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { user, operation, ...(change ? { permissions: change } : {}) };
    explain.reset();
    simulate.reset();
    if (entity.trim() === '') {
      simulate.mutate({
        params,
        body: { ...body, show: 'all', limit: 100 } as never,
      });
    } else {
      explain.mutate({ params, body: { ...body, entity: entity.trim() } as never });
    }
  };
  const error = explain.error ?? simulate.error;
  return (
    <Stack gap="md">
      {change && <Alert color="blue">Tested with your unsaved changes.</Alert>}
      <form onSubmit={submit} className={surfaces.block}>
        <Group align="flex-end">
          <Select
            label="As"
            searchable
            data={(users.data?.users ?? []).flatMap(({ email }) => (email ? [email] : []))}
            value={user || null}
            onChange={(value) => setUser(value ?? '')}
          />
          <Select
            label="May"
            data={grantNames.map((value) => ({ value, label: grantTitles[value].title }))}
            value={operation}
            allowDeselect={false}
            onChange={(value) => setOperation(value ?? 'read')}
          />
          <TextInput
            label="Entity"
            placeholder="all of them"
            value={entity}
            onChange={({ currentTarget }) => setEntity(currentTarget.value)}
          />
          <Button type="submit" disabled={user === ''} loading={explain.isPending || simulate.isPending}>
            Try
          </Button>
        </Group>
      </form>
      {error && <ErrorState error={error} what="The permissions could not be tested" />}
      {explain.data && <Explanation answer={explain.data} />}
      {simulate.data && <Simulation answer={simulate.data} blueprint={blueprint.identifier} />}
    </Stack>
  );
}

function Verdict({ isAllowed }: { isAllowed: boolean }) {
  return <ColourBadge colour={isAllowed ? 'green' : 'red'}>{isAllowed ? 'Allowed' : 'Refused'}</ColourBadge>;
}

function Warnings({ of: warnings }: { of: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow">
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Alert>
  );
}

const outcomes = {
  granted: ['Grants', 'green'],
  not_granted: ['Does not grant', 'darkGray'],
  not_set: ['Not set', 'lightGray'],
  ignored: ['Ignored', 'lightGray'],
  broken: ['Broken', 'red'],
} as const;

function Explanation({ answer }: { answer: AnswerOf<'explainPermission'> }) {
  const { allowed, why, user, checks, warnings } = answer;
  return (
    <section className={surfaces.block} aria-label="Explanation">
      <Stack gap="sm">
        <Group gap="xs">
          <Verdict isAllowed={allowed} />
          <Text>{why}</Text>
        </Group>
        <Text size="sm" c="dimmed">
          {`${user.identifier} · roles: ${user.roles.join(', ') || 'none'} · teams: ${user.teams.join(', ') || 'none'}`}
        </Text>
        <Warnings of={warnings} />
        <ul className={surfaces.list} aria-label="Rules in the order they are asked">
          {checks.map(({ grant, rule, outcome, why: said }) => (
            <li key={`${grant} ${rule}`} className={classes.item}>
              <div className={classes.itemText}>
                <code>{grant}</code> {rule}
                <div className={classes.detail}>{said}</div>
              </div>
              <ColourBadge colour={outcomes[outcome][1]}>{outcomes[outcome][0]}</ColourBadge>
            </li>
          ))}
        </ul>
      </Stack>
    </section>
  );
}

function Simulation({ answer, blueprint }: { answer: AnswerOf<'simulatePermissions'>; blueprint: string }) {
  const { entities, counts, warnings, next } = answer;
  return (
    <section aria-label="Entities">
      <Stack gap="sm">
        {counts && (
          <Title order={2} size="h3">
            {`${counts.allowed.toLocaleString()} of ${counts.total.toLocaleString()} entities are allowed`}
          </Title>
        )}
        {counts && counts.allowed !== counts.allowedBefore && (
          <Text>{`Without your changes: ${counts.allowedBefore.toLocaleString()}.`}</Text>
        )}
        <Warnings of={warnings} />
        <ul className={surfaces.list}>
          {entities.map(({ identifier, title, allowed, allowedBefore, why }) => (
            <li key={identifier} className={classes.item}>
              <div className={classes.itemText}>
                <EntityAnchor blueprint={blueprint} identifier={identifier} title={title} />
                <div className={classes.detail}>{why}</div>
              </div>
              <Group gap="xs">
                {allowed !== allowedBefore && <ColourBadge colour="gold">Changed</ColourBadge>}
                <Verdict isAllowed={allowed} />
              </Group>
            </li>
          ))}
        </ul>
        {next && (
          <Text size="sm" c="dimmed">
            The first 100 are shown.
          </Text>
        )}
      </Stack>
    </section>
  );
}
