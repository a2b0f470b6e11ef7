import { Title } from '@mantine/core';
import type { Scorecard } from '@portolan/contract/scorecards';
import { useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { ErrorState } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { dueText } from '../../parts/campaigns/due.ts';
import { campaignAddress, isOver, statusWords, targetText } from './campaign-words.ts';
import classes from './scorecards.module.css';

/** The current campaigns of a scorecard; nothing where there are none. */
export function ScorecardCampaigns({ scorecard }: { scorecard: Scorecard }) {
  const { blueprint, identifier } = scorecard;
  const { data, error, refetch } = useRead('listCampaigns', { query: { blueprint, scorecard: identifier } });
  if (error && !data)
    return <ErrorState error={error} what={t('Its campaigns could not be read')} onRetry={() => void refetch()} />;
  const current = (data?.campaigns ?? []).filter((campaign) => !isOver(campaign));
  if (current.length === 0) return null;
  return (
    <section className={surfaces.block} aria-label={t('Campaigns')}>
      <Title order={2} size="h3" mb="sm">
        {t('Campaigns')}
      </Title>
      <ul className={classes.sample}>
        {current.map(({ id, title, target, dueDate, status }) => (
          <li key={id}>
            <AnchorLink {...campaignAddress(id)} dir="auto">
              {title}
            </AnchorLink>{' '}
            <span className={surfaces.detail}>
              {targetText(target, scorecard)} · {status === 'draft' ? statusWords.draft : dueText(dueDate, new Date())}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
