import { Group, Skeleton, Stack, Text } from '@mantine/core';
import type { Campaign } from '@portolan/contract/campaigns';
import type { Scorecard } from '@portolan/contract/scorecards';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { Needs } from '../../parts/access/needs.tsx';
import { ColourBadge } from '../../parts/badges.tsx';
import { dueText, writtenDate } from '../../parts/campaigns/due.ts';
import { useOffers } from '../../parts/entities/rights.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import {
  campaignAddress,
  findScorecard,
  isOver,
  problemTexts,
  statusColours,
  statusWords,
  targetText,
} from './campaign-words.ts';
import { ProgressLine } from './progress-line.tsx';
import { ScorecardTabs } from './scorecard-tabs.tsx';
import classes from './scorecards.module.css';
import { ShowMore } from './show-more.tsx';
import { useTurnEnd, useTurns } from './use-turns.ts';

const step = 20;

/** All campaigns, those due first at the top. */
export function Screen() {
  const read = useRead('listCampaigns');
  const scorecards = useRead('listAllScorecards');
  const { permits } = useOffers('_scorecard');
  const [shown = 'current', setShown] = useUrlState('/builder/campaigns', 'show');
  const [shownMax, setShownMax] = useState(step);
  const wanted = (read.data?.campaigns ?? []).filter((each) => isOver(each) === (shown === 'past'));
  // what ended last is what people look back at
  const rows = (shown === 'past' ? wanted.toReversed() : wanted).slice(0, shownMax);
  const { mayRead, onSettled } = useTurns(rows.map(({ id }) => id));
  const create = (
    <Needs permit={permits.register} to={t('create campaigns')}>
      <ButtonLink to="/builder/new-campaign" size="sm">
        {t('New campaign')}
      </ButtonLink>
    </Needs>
  );
  return (
    <div className={classes.screen}>
      <PageHeader
        title={t('Campaigns')}
        description={t('Levels or rules of a scorecard to reach by a date, and how far each team is.')}
        actions={create}
      />
      <ScorecardTabs />
      <Reading of={read}>
        {({ campaigns }) =>
          campaigns.length === 0 ? (
            <EmptyState title={t('No campaigns yet')} action={create}>
              {t(
                'A campaign gives a scorecard a due date and an owner, for example every service at Gold by the end of the quarter.',
              )}
            </EmptyState>
          ) : (
            <Stack gap="md">
              <SegmentedControl
                aria-label={t('Campaigns shown')}
                value={shown}
                onChange={(next) => setShown(next === 'past' ? 'past' : undefined)}
                data={[
                  { value: 'current', label: t('Current') },
                  { value: 'past', label: t('Past') },
                ]}
              />
              {rows.length === 0 ? (
                <EmptyState title={shown === 'past' ? t('No past campaigns') : t('No current campaigns')}>
                  {shown === 'past'
                    ? t('Campaigns that are done or archived appear here.')
                    : t('Drafts and active campaigns appear here.')}
                </EmptyState>
              ) : (
                <ul className={surfaces.list} aria-label={t('Campaigns')}>
                  {rows.map((campaign) => (
                    <Row
                      key={campaign.id}
                      campaign={campaign}
                      scorecard={findScorecard(scorecards.data?.scorecards, campaign)}
                      mayRead={mayRead(campaign.id)}
                      onSettled={onSettled}
                    />
                  ))}
                </ul>
              )}
              <ShowMore mt="md" left={wanted.length - shownMax} onMore={() => setShownMax(shownMax + step)} />
            </Stack>
          )
        }
      </Reading>
    </div>
  );
}

function Row({
  campaign,
  scorecard,
  mayRead,
  onSettled,
}: {
  campaign: Campaign;
  scorecard: Scorecard | undefined;
  mayRead: boolean;
  onSettled: (id: string) => void;
}) {
  const { id, title, status, dueDate, target } = campaign;
  const read = useRead('getCampaignProgress', { params: { campaign_id: id } }, { isOn: mayRead });
  useTurnEnd(id, read, onSettled);
  return (
    <li className={surfaces.item}>
      <div className={classes.rowText}>
        <Group gap={8}>
          <AnchorLink {...campaignAddress(id)} fw={600} dir="auto">
            {title}
          </AnchorLink>
          {status !== 'active' && <ColourBadge colour={statusColours[status]}>{statusWords[status]}</ColourBadge>}
        </Group>
        <Group gap={6} className={surfaces.detail ?? ''}>
          <span dir="auto">{scorecard?.title ?? campaign.scorecard}</span>·
          <span dir="auto">{targetText(target, scorecard)}</span>·
          <span>
            {isOver(campaign)
              ? t('Was due {dueDate}', { dueDate: writtenDate(dueDate) })
              : dueText(dueDate, new Date())}
          </span>
        </Group>
      </div>
      <div className={classes.rowBar}>
        {read.error ? (
          <Text size="sm" c="dimmed">
            {t('The progress could not be counted.')}
          </Text>
        ) : !read.data ? (
          <Skeleton height={34} />
        ) : read.data.problem ? (
          <Text size="sm" c="dimmed">
            {problemTexts[read.data.problem]}
          </Text>
        ) : (
          <ProgressLine label={t('Progress of {title}', { title })} reach={read.data} />
        )}
      </div>
    </li>
  );
}
