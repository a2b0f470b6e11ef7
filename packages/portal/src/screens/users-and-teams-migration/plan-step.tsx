import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import { useRead } from '../../api/query.ts';
import { locale } from '../../kit/language.ts';
import { Sentence } from '../../kit/sentence.tsx';
import { Reading } from '../../kit/states.tsx';
import { plural, t } from '../../kit/translate.ts';
import { AcceptAll, AcceptItem } from './acceptances.tsx';
import { Changes } from './changes.tsx';
import { Choices } from './choices.tsx';
import { readItems } from './manual-item.ts';
import { ManualItems } from './manual-items.tsx';
import classes from './migration.module.css';
import { Some } from './more.tsx';
import type { Plan } from './stage.ts';

/** The planned changes, the obstacles, and the manual items. Writes nothing. */
export function PlanStep({ onNext }: { onNext: () => void }) {
  const plan = useRead('planUsersAndTeams');
  return (
    <Reading of={plan} waitsFor={t('Still reading everything that names teams')}>
      {({ plan: found }) => (
        <Stack gap="xl">
          <Group justify="space-between">
            <Facts plan={found} />
            <Button
              variant="default"
              size="xs"
              leftSection={<RotateCw size={14} />}
              loading={plan.isFetching}
              onClick={() => void plan.refetch()}
            >
              {t('Scan again')}
            </Button>
          </Group>
          {found.blockers.length > 0 && <Blockers plan={found} />}
          <Decisions plan={found} />
          <section aria-labelledby="automatic">
            <Title order={3} id="automatic" mb="xs">
              {t('Done by the migration ({value})', {
                value: (found.automatic.length + found.implied.length).toLocaleString(locale),
              })}
            </Title>
            <Changes plan={found} />
          </section>
          <section aria-labelledby="manual">
            <Title order={3} id="manual" mb="xs">
              {t('Left to people ({count})', { count: found.manual.length.toLocaleString(locale) })}
            </Title>
            <Manual plan={found} />
          </section>
          {found.warnings.length > 0 && <Warnings warnings={found.warnings} />}
          <Group>
            <Button onClick={onNext}>{t('Go on to rehearse')}</Button>
          </Group>
        </Stack>
      )}
    </Reading>
  );
}

/** The manual items; suggestions can be accepted for the migration to write. */
function Manual({ plan }: { plan: Plan }) {
  const items = readItems(plan.manual);
  const accepted = new Map(plan.accepted.map((each) => [each.itemId, each]));
  const gone = plan.accepted.filter(({ itemId }) => !items.some(({ id }) => id === itemId)).length;
  const shown = items.map((item) => {
    const own = accepted.get(item.id);
    return { item, state: item.verdict, ...(own?.isCurrent ? { mark: t('Accepted') } : {}) };
  });
  return (
    <>
      {items.some(({ suggestion }) => suggestion) && <AcceptAll items={items} accepted={plan.accepted} />}
      {gone > 0 && (
        <Text size="sm" c="dimmed">
          {t('{word} gone; nothing is written there.', {
            word: gone === 1 ? t('1 accepted place is') : t('{gone} accepted places are', { gone }),
          })}
        </Text>
      )}
      <ManualItems items={shown}>
        {({ item }) => <AcceptItem item={item} acceptance={accepted.get(item.id)} />}
      </ManualItems>
    </>
  );
}

function Facts({ plan }: { plan: Plan }) {
  const { teams, users, model } = plan;
  return (
    <Text>
      <Sentence
        text="{users} and {count}, as {word}. Plan <code/>: the same for the same organization."
        values={{
          users: plural(users, '{count} user', '{count} users'),
          count: plural(teams.length, '{count} team', '{count} teams'),
          word: model === 'legacy' ? t('they were before users and teams were entities') : t('the beta keeps them'),
        }}
        parts={{ code: <code>{plan.hash.slice(0, 12)}</code> }}
      />
    </Text>
  );
}

function Blockers({ plan: { blockers } }: { plan: Plan }) {
  return (
    <Alert
      color="red"
      title={
        blockers.length === 1
          ? t('1 thing stands in the way')
          : t('{count} things stand in the way', { count: blockers.length })
      }
    >
      <ul className={classes.plain}>
        {blockers.map(({ code, message, fix, resource }) => (
          <li key={`${code} ${resource?.kind} ${resource?.identifier}`}>
            <Text size="sm">{message}</Text>
            <Text size="sm" c="dimmed">
              {code === 'DUPLICATE_TEAM_TITLE'
                ? t('Decide below which team is meant, or rename all but one of them.')
                : fix}
            </Text>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function Decisions({ plan }: { plan: Plan }) {
  const { identifiers = {}, duplicates = {} } = plan.choices;
  const kept = Object.keys(identifiers).length + Object.keys(duplicates).length;
  const canName = plan.model === 'legacy' && plan.teams.length > 0;
  if (plan.collisions.length === 0 && !canName && kept === 0) return null;
  return (
    <section aria-labelledby="decisions">
      <Title order={3} id="decisions" mb="xs">
        {t('Decide')}
      </Title>
      {/* remounts after a save */}
      <Choices key={JSON.stringify(plan.choices)} plan={plan} />
    </section>
  );
}

function Warnings({ warnings }: { warnings: Plan['warnings'] }) {
  return (
    <section aria-labelledby="warnings">
      <Title order={3} id="warnings" mb="xs">
        {t('Worth knowing ({count})', { count: warnings.length.toLocaleString(locale) })}
      </Title>
      <Some of={warnings} what={t('notes')}>
        {(shown) => (
          <ul className={classes.plain}>
            {shown.map(({ code, message, fix, resource }) => (
              <li key={`${code} ${resource?.kind} ${resource?.identifier}`}>
                {message}. <span className={classes.note}>{fix}.</span>
              </li>
            ))}
          </ul>
        )}
      </Some>
    </section>
  );
}
