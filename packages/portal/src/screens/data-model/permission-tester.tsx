import { Alert, Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { locale } from '../../kit/language.ts';
import { ErrorState } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
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
      {change && <Alert color="blue">{t('Tested with your unsaved changes.')}</Alert>}
      <form onSubmit={submit} className={surfaces.block}>
        <Group align="flex-end">
          <Select
            label={t('As')}
            searchable
            data={(users.data?.users ?? []).flatMap(({ email }) => (email ? [email] : []))}
            value={user || null}
            onChange={(value) => setUser(value ?? '')}
          />
          <Select
            label={t('May')}
            data={grantNames.map((value) => ({ value, label: grantTitles[value].title }))}
            value={operation}
            allowDeselect={false}
            onChange={(value) => setOperation(value ?? 'read')}
          />
          <TextInput
            label={t('Entity')}
            placeholder={t('all of them')}
            value={entity}
            onChange={({ currentTarget }) => setEntity(currentTarget.value)}
          />
          <Button type="submit" disabled={user === ''} loading={explain.isPending || simulate.isPending}>
            {t('Try')}
          </Button>
        </Group>
      </form>
      {error && <ErrorState error={error} what={t('The permissions could not be tested')} />}
      {explain.data && <Explanation answer={explain.data} />}
      {simulate.data && <Simulation answer={simulate.data} blueprint={blueprint.identifier} />}
    </Stack>
  );
}

function Verdict({ isAllowed }: { isAllowed: boolean }) {
  return <ColourBadge colour={isAllowed ? 'green' : 'red'}>{isAllowed ? t('Allowed') : t('Refused')}</ColourBadge>;
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
  granted: [t('Grants'), 'green'],
  not_granted: [t('Does not grant'), 'darkGray'],
  not_set: [t('Not set'), 'lightGray'],
  ignored: [t('Ignored'), 'lightGray'],
  broken: [t('Broken'), 'red'],
} as const;

function Explanation({ answer }: { answer: AnswerOf<'explainPermission'> }) {
  const { allowed, why, user, checks, warnings } = answer;
  return (
    <section className={surfaces.block} aria-label={t('Explanation')}>
      <Stack gap="sm">
        <Group gap="xs">
          <Verdict isAllowed={allowed} />
          <Text>{why}</Text>
        </Group>
        <Text size="sm" c="dimmed">
          {t('{identifier} · roles: {roles} · teams: {teams}', {
            identifier: user.identifier,
            roles: user.roles.join(', ') || t('none'),
            teams: user.teams.join(', ') || t('none'),
          })}
        </Text>
        <Warnings of={warnings} />
        <ul className={surfaces.list} aria-label={t('Rules in the order they are asked')}>
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
    <section aria-label={t('Entities')}>
      <Stack gap="sm">
        {counts && (
          <Title order={2} size="h3">
            {t('{allowed} of {total} entities are allowed', {
              allowed: counts.allowed.toLocaleString(locale),
              total: counts.total.toLocaleString(locale),
            })}
          </Title>
        )}
        {counts && counts.allowed !== counts.allowedBefore && (
          <Text>
            {t('Without your changes: {allowedBefore}.', {
              allowedBefore: counts.allowedBefore.toLocaleString(locale),
            })}
          </Text>
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
                {allowed !== allowedBefore && <ColourBadge colour="gold">{t('Changed')}</ColourBadge>}
                <Verdict isAllowed={allowed} />
              </Group>
            </li>
          ))}
        </ul>
        {next && (
          <Text size="sm" c="dimmed">
            {t('The first 100 are shown.')}
          </Text>
        )}
      </Stack>
    </section>
  );
}
