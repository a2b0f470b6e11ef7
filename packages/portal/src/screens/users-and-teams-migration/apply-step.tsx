import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { errorCode } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useConfirm } from '../../kit/confirm.tsx';
import { CopyValue } from '../../kit/copy-value.tsx';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { Progress } from './progress.tsx';
import { isMigrated, isUnderWay, type Plan, type Report } from './stage.ts';

/** Starts the migration and shows its progress. */
export function ApplyStep({ report, onPlan, onVerify }: { report: Report; onPlan: () => void; onVerify: () => void }) {
  if (isUnderWay(report)) return <Progress report={report} />;
  if (report.status === 'COMPLETED' && isMigrated(report)) {
    return (
      <Stack align="flex-start">
        <Text>
          <Sentence text="Applied <time/>" parts={{ time: <RelativeTime at={report.flippedAt} /> }} />
          {report.createdBy && <> {t('by {createdBy}', { createdBy: report.createdBy })}</>}
          {t('. Teams are shown by their identifiers.')}
        </Text>
        <Button onClick={onVerify}>{t('Go on to verify')}</Button>
      </Stack>
    );
  }
  return (
    <Stack gap="lg" align="flex-start">
      {report.status === 'FAILED' && (
        <Alert color="red" title={t('The last run failed')} role="alert">
          {report.message ?? t('No reason was given.')}{' '}
          {isMigrated(report)
            ? t('The change itself is made; starting again does the rest.')
            : t('Nothing has changed. Start it again.')}
        </Alert>
      )}
      {isMigrated(report) ? <Resume /> : <Begin onPlan={onPlan} />}
    </Stack>
  );
}

function useStart() {
  return useChange('startUsersAndTeams', { staleAfter: ['getUsersAndTeams'] });
}

function Resume() {
  const start = useStart();
  return (
    <>
      {start.error && <ErrorState error={start.error} what={t('The migration did not start')} />}
      <Button loading={start.isPending} onClick={() => start.mutate({})}>
        {t('Go on with the migration')}
      </Button>
    </>
  );
}

function Begin({ onPlan }: { onPlan: () => void }) {
  const plan = useRead('planUsersAndTeams');
  const start = useStart();
  const confirm = useConfirm();
  const { organization } = useSession();
  const ask = async (found: Plan) => {
    const isSure = await confirm({
      title: t('Migrate users and teams of {name}', { name: organization.name }),
      consequence: <Consequence plan={found} />,
      verb: t('Start the migration'),
    });
    if (isSure) start.mutate({}, { onError: () => void plan.refetch() });
  };
  return (
    <Reading of={plan} waitsFor={t('Still reading everything that names teams')}>
      {({ plan: found }) => (
        <>
          <Consequence plan={found} />
          {found.blockers.length > 0 && (
            <Alert color="red" title={t('The migration cannot start yet')}>
              {t('{word} to be settled first.', {
                word:
                  found.blockers.length === 1
                    ? t('1 thing has')
                    : t('{count} things have', { count: found.blockers.length }),
              })}{' '}
              <Button variant="default" size="compact-sm" onClick={onPlan}>
                {t('Look at the plan')}
              </Button>
            </Alert>
          )}
          {start.error && (
            <ErrorState
              error={start.error}
              what={
                errorCode(start.error) === 'migration_blocked'
                  ? t('Something has to be decided first')
                  : t('The migration did not start')
              }
            />
          )}
          <Button disabled={found.blockers.length > 0} loading={start.isPending} onClick={() => void ask(found)}>
            {t('Start the migration')}
          </Button>
          <Request />
        </>
      )}
    </Reading>
  );
}

function Consequence({ plan: { automatic, implied, teams, users, manual, accepted } }: { plan: Plan }) {
  const changes = [...automatic, ...implied];
  const written = accepted.filter(({ isCurrent }) => isCurrent).length;
  const documents = (kind: RegExp) =>
    new Set(
      changes.flatMap(({ resource }) => (kind.test(resource.kind) ? [`${resource.kind} ${resource.identifier}`] : [])),
    ).size;
  const counts = [
    [documents(/^blueprint$/), 'blueprint', 'blueprints'],
    [documents(/permissions$/), 'permissions document', 'permissions documents'],
    [teams.length, 'team', 'teams'],
    [users, 'user', 'users'],
  ] as const;
  return (
    <Stack gap="xs">
      <Text>
        {t(
          'Changes {counts}. From then on teams are read and written by identifier everywhere, by your integrations too.',
          {
            counts: counts
              .map(([count, one, many]) => `${count.toLocaleString(locale)} ${count === 1 ? one : many}`)
              .join(', '),
          },
        )}
      </Text>
      <Text>
        {t(
          'Entities can be changed as usual meanwhile; teams cannot be created, renamed or deleted for a few seconds. The migration can be undone for some days.',
        )}
      </Text>
      {manual.length > 0 && (
        <Text>
          {t('{word} left to people, and listed under Verify.', {
            word:
              manual.length === 1
                ? t('1 place is')
                : t('{count} places are', { count: manual.length.toLocaleString(locale) }),
          })}
        </Text>
      )}
      {written > 0 && (
        <Text>
          {t('{word} written right after the change.', {
            word:
              written === 1
                ? t('1 suggestion that was accepted is')
                : t('{written} suggestions that were accepted are', { written }),
          })}
        </Text>
      )}
    </Stack>
  );
}

function Request() {
  const address = `${location.origin}/v1/blueprints/system/users-and-teams-as-blueprints`;
  const command = `curl -X POST ${address} -H "authorization: $TOKEN"`;
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('The same over the API, with a token of yours:')}
      </Text>
      <Group gap={4} wrap="nowrap">
        <Code>{command}</Code>
        <CopyValue value={command} what={t('the request')} />
      </Group>
    </div>
  );
}
