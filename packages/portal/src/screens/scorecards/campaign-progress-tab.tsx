import { Alert, Button, Group, Text, Title } from '@mantine/core';
import type { Campaign, CampaignProgress } from '@portolan/contract/campaigns';
import type { Scorecard } from '@portolan/contract/scorecards';
import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { plural, t } from '../../kit/translate.ts';
import { daysLeft, writtenDate } from '../../parts/campaigns/due.ts';
import { EntityExplorer } from '../../parts/entities/entity-explorer.tsx';
import type { Query } from '../../parts/entities/operators.ts';
import { ExemptionList } from '../../parts/exemptions/exemption-list.tsx';
import { BurnDownChart } from './burn-down-chart.tsx';
import { problemTexts, reminderText, targetRules, targetText } from './campaign-words.ts';
import { ProgressLine } from './progress-line.tsx';
import classes from './scorecards.module.css';
import { TeamProgress } from './team-progress.tsx';

/** How far a campaign is, by team, and the entities that still fall short. */
export function CampaignProgressTab({ campaign, scorecard }: { campaign: Campaign; scorecard: Scorecard | undefined }) {
  const { id, target } = campaign;
  const read = useRead('getCampaignProgress', { params: { campaign_id: id } });
  return (
    <Reading of={read} waitsFor={t('Still counting the entities')}>
      {(progress) =>
        progress.problem ? (
          <Alert color="yellow" title={t('This campaign cannot be measured')} role="alert">
            {t('{problemTexts} The campaign itself is unchanged; its settings can be changed, or it can be archived.', {
              problemTexts: problemTexts[progress.problem],
            })}
          </Alert>
        ) : (
          <div className={classes.results}>
            <section className={surfaces.block} aria-label={t('Progress')}>
              <Title order={2} size="h3" mb="sm" dir="auto">
                {t('Target: {target}', { target: targetText(target, scorecard) })}
              </Title>
              <Standing campaign={campaign} progress={progress} />
              <ProgressLine label={t('Progress of {title}', { title: campaign.title })} reach={progress} />
              {progress.history && (
                <BurnDownChart
                  past={progress.history}
                  today={{ day: new Date().toISOString().slice(0, 10), ...progress }}
                  dueDate={campaign.dueDate}
                />
              )}
            </section>
            {progress.total === 0 ? (
              <EmptyState title={t('No entities take part')}>
                {t('None that you can see is measured by the scorecard and matches the filter of the campaign.')}
              </EmptyState>
            ) : (
              <>
                <section className={surfaces.block} aria-label={t('Teams')}>
                  <Title order={2} size="h3" mb="sm">
                    {t('Teams')}
                  </Title>
                  <TeamProgress progress={progress} />
                </section>
                <OpenEntities blueprint={campaign.blueprint} progress={progress} />
                {scorecard && (
                  <ExemptionList
                    blueprint={campaign.blueprint}
                    scorecard={scorecard}
                    rules={targetRules(target, scorecard)}
                    dataset={progress.openQuery ?? undefined}
                  />
                )}
              </>
            )}
          </div>
        )
      }
    </Reading>
  );
}

/** Whether time is up, and who is told of it when. */
function Standing({ campaign: { dueDate, status }, progress }: { campaign: Campaign; progress: CampaignProgress }) {
  const { total, reached, exempt, reminders } = progress;
  const open = total - reached - exempt;
  const isLate = status === 'active' && open > 0 && daysLeft(dueDate, new Date()) < 0;
  return (
    <>
      {isLate && (
        <p className={classes.standing}>
          {t('Overdue: the due date was {dueDate}, and {open} still fall short.', {
            dueDate: writtenDate(dueDate),
            open: plural(open, '{count} entity', '{count} entities'),
          })}
        </p>
      )}
      {(reminders.next ?? reminders.last) && <p className={classes.standing}>{reminderText(reminders)}</p>}
    </>
  );
}

const ofMyTeams = { property: '$team', operator: '=', value: 'My Teams' };

function OpenEntities({ blueprint, progress }: { blueprint: string; progress: CampaignProgress }) {
  const [isMine = false, setMine] = useUrlState('/builder/campaigns/$campaign', 'mine');
  const { user } = useSession();
  const hasTeam = (user?.teams ?? []).length > 0;
  const text = JSON.stringify(progress.openQuery);
  const dataset = useMemo((): Query => {
    const open = JSON.parse(text) as Query;
    return isMine ? { combinator: 'and', rules: [...open.rules, ofMyTeams] } : open;
  }, [text, isMine]);
  const label = isMine ? t('Open entities of my teams') : t('Open entities');
  return (
    <section className={surfaces.block} aria-label={label}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3">
          {label}
        </Title>
        {(hasTeam || isMine) && (
          <Button
            size="xs"
            variant={isMine ? 'light' : 'default'}
            aria-pressed={isMine}
            onClick={() => setMine(isMine ? undefined : true)}
          >
            {t('Only my teams')}
          </Button>
        )}
      </Group>
      <EntityExplorer
        blueprint={blueprint}
        label={label}
        dataset={dataset}
        name="open"
        empty={
          <EmptyState
            title={isMine ? t('Your teams have reached the target') : t('Every entity has reached the target')}
          >
            <Text component="span">{t('Nothing is left to do here.')}</Text>
          </EmptyState>
        }
      />
    </section>
  );
}
