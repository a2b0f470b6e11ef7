import { Alert, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { locale } from '../../kit/language.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { inWords } from './manual-item.ts';
import classes from './migration.module.css';
import { Some } from './more.tsx';
import { RehearsedExpressions } from './rehearsed-expressions.tsx';

type Rehearsal = AnswerOf<'rehearseUsersAndTeams'>['rehearsal'];

/** Who gains or loses access, and which expressions give another result. Writes nothing. */
export function RehearseStep({ onNext }: { onNext: () => void }) {
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(() => queries.getQueryData(['rehearseUsersAndTeams']) !== undefined);
  const rehearsal = useRead('rehearseUsersAndTeams', undefined, { isOn: isAsked });
  const plan = useRead('planUsersAndTeams');
  const isOld =
    rehearsal.data !== undefined && plan.data !== undefined && rehearsal.data.rehearsal.hash !== plan.data.plan.hash;
  return (
    <Stack gap="lg" align="flex-start">
      <Text maw="70ch">
        {t(
          'Asks for every person what they may do on every blueprint, action and page, now and afterwards, and tries every expression that meets teams on some entities and people. Nothing is written.',
        )}
      </Text>
      <Button
        variant={rehearsal.data ? 'default' : 'filled'}
        loading={rehearsal.isFetching}
        onClick={() => (isAsked ? void rehearsal.refetch() : setAsked(true))}
      >
        {rehearsal.data ? t('Rehearse again') : t('Rehearse')}
      </Button>
      {isAsked && (
        <Reading of={rehearsal} waitsFor={t('Still comparing rights and values')}>
          {({ rehearsal: found }) => (
            <>
              {isOld && (
                <Alert color="yellow" title={t('The plan has changed since')}>
                  {t('Rehearse again to compare with the plan as it is now.')}
                </Alert>
              )}
              <Result rehearsal={found} />
              <Button onClick={onNext}>{t('Go on to apply')}</Button>
            </>
          )}
        </Reading>
      )}
    </Stack>
  );
}

function Result({ rehearsal: { gained, lost, dangling, expressions, checked, isCut } }: { rehearsal: Rehearsal }) {
  const isSame = gained.length === 0 && lost.length === 0;
  return (
    <Stack gap="lg" w="100%">
      <Alert
        color={isSame ? 'indigo' : 'yellow'}
        role="status"
        title={isSame ? t('Nobody gains or loses anything') : t('Some people could do more or less')}
      >
        {t(
          'Compared {people} people on {blueprints} blueprints, {actions} actions and {pages} pages, and tried expressions {expressions} times.',
          {
            people: checked.people.toLocaleString(locale),
            blueprints: checked.blueprints.toLocaleString(locale),
            actions: checked.actions.toLocaleString(locale),
            pages: checked.pages.toLocaleString(locale),
            expressions: checked.expressions.toLocaleString(locale),
          },
        )}
        {isCut && ` ${t('There are more differences than are listed.')}`}
      </Alert>
      {!isSame && (
        <Group align="flex-start" gap="xl">
          <Access title={t('Access gained')} list={gained} />
          <Access title={t('Access lost')} list={lost} />
        </Group>
      )}
      <RehearsedExpressions expressions={expressions} tried={checked.expressions} />
      {dangling.length > 0 && (
        <section aria-labelledby="dangling">
          <Title order={3} fz="md" id="dangling">
            {t("Names in rights that are no team's ({count})", { count: dangling.length })}
          </Title>
          <Text size="sm" c="dimmed">
            {t('They grant nothing, now and afterwards.')}
          </Text>
          <ul className={classes.plain}>
            {dangling.map(({ name, places }) => (
              <li key={name}>
                <strong dir="auto">{name}</strong> <span className={classes.note}>{places.join(', ')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Stack>
  );
}

function Access({ title, list }: { title: string; list: Rehearsal['lost'] }) {
  return (
    <section aria-label={title} className={classes.access}>
      <Title order={3} fz="md">
        {title} ({list.length})
      </Title>
      {list.length === 0 ? (
        <Text c="dimmed">{t('None.')}</Text>
      ) : (
        <Some of={list} what={t('rights')}>
          {(shown) => (
            <Table>
              <Table.Tbody>
                {shown.map(({ person, kind, identifier, operation, entities }) => (
                  <Table.Tr key={`${person} ${kind} ${identifier} ${operation}`}>
                    <Table.Th scope="row" fw={500}>
                      {person}
                    </Table.Th>
                    <Table.Td>
                      {operation} · {inWords(kind)} <code>{identifier}</code>
                      {entities !== undefined &&
                        ` ${t('· {entities} entities', { entities: entities.toLocaleString(locale) })}`}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </Some>
      )}
    </section>
  );
}
