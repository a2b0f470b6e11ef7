import { Button, Group, Skeleton, Text, TextInput } from '@mantine/core';
import type { Scorecard } from '@portolan/contract/scorecards';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { plural, t } from '../../kit/translate.ts';
import { Needs } from '../../parts/access/needs.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { DistributionBar } from './distribution-bar.tsx';
import { scorecardAddress } from './scorecard-draft.ts';
import { ScorecardTabs } from './scorecard-tabs.tsx';
import classes from './scorecards.module.css';
import { ShowMore } from './show-more.tsx';
import { useDistribution } from './use-distribution.ts';
import { useTurnEnd, useTurns } from './use-turns.ts';

/** Each row asks for its own figures, so many scorecards are shown in steps. */
const step = 20;

/** All scorecards with the levels of what they measure. */
export function Screen() {
  const read = useRead('listAllScorecards');
  const blueprints = useRead('listBlueprints');
  const { permits } = useOffers('_scorecard');
  const [term, setTerm] = useUrlState('/builder/scorecards', 'q');
  const [shownMax, setShownMax] = useState(step);
  const words = String(term ?? '').toLowerCase();
  const nameOf = (blueprint: string) =>
    blueprints.data?.blueprints.find(({ identifier }) => identifier === blueprint)?.title ?? blueprint;
  const found = (read.data?.scorecards ?? []).filter(({ title, identifier, blueprint }) =>
    `${title} ${identifier} ${blueprint} ${nameOf(blueprint)}`.toLowerCase().includes(words),
  );
  const rows = found.slice(0, shownMax);
  const { mayRead, onSettled } = useTurns(rows.map(nameIn));
  const create = (
    <Needs permit={permits.register} to={t('create scorecards')}>
      <ButtonLink to="/builder/new-scorecard" size="sm">
        {t('New scorecard')}
      </ButtonLink>
    </Needs>
  );
  return (
    <div className={classes.screen}>
      <PageHeader
        title={t('Scorecards')}
        description={t('Standards for your catalog: rules, the levels they lead to, and who meets them.')}
        actions={create}
      />
      <ScorecardTabs />
      <Reading of={read}>
        {({ scorecards }) => {
          if (scorecards.length === 0) {
            return (
              <EmptyState title={t('No scorecards yet')} action={create}>
                {t(
                  'A scorecard measures the entities of a blueprint, for example whether every service has a runbook and someone on call.',
                )}
              </EmptyState>
            );
          }
          return (
            <>
              <TextInput
                aria-label={t('Search scorecards')}
                placeholder={t('Search scorecards')}
                mb="md"
                w={{ base: '100%', sm: 320 }}
                leftSection={<Search size={16} aria-hidden="true" />}
                value={String(term ?? '')}
                onChange={({ currentTarget }) => setTerm(currentTarget.value || undefined)}
              />
              {found.length === 0 ? (
                <EmptyState
                  title={t('No scorecards match')}
                  action={
                    <Button size="xs" variant="default" onClick={() => setTerm(undefined)}>
                      {t('Clear search')}
                    </Button>
                  }
                />
              ) : (
                <ul className={surfaces.list} aria-label={t('Scorecards')}>
                  {rows.map((scorecard) => (
                    <Row
                      key={nameIn(scorecard)}
                      scorecard={scorecard}
                      blueprint={nameOf(scorecard.blueprint)}
                      isCounted={mayRead(nameIn(scorecard))}
                      onCounted={onSettled}
                    />
                  ))}
                </ul>
              )}
              <ShowMore mt="md" left={found.length - shownMax} onMore={() => setShownMax(shownMax + step)} />
            </>
          );
        }}
      </Reading>
    </div>
  );
}

function nameIn({ blueprint, identifier }: Scorecard): string {
  return `${blueprint}/${identifier}`;
}

function Row({
  scorecard,
  blueprint,
  isCounted,
  onCounted,
}: {
  scorecard: Scorecard;
  blueprint: string;
  isCounted: boolean;
  onCounted: (name: string) => void;
}) {
  const { identifier, title, levels, rules } = scorecard;
  const { read, shares } = useDistribution(scorecard.blueprint, identifier, levels, isCounted);
  useTurnEnd(nameIn(scorecard), read, onCounted);
  return (
    <li className={surfaces.item}>
      <div className={classes.rowText}>
        <AnchorLink {...scorecardAddress(scorecard.blueprint, identifier)} fw={600} dir="auto">
          {title}
        </AnchorLink>
        <Group gap={6} className={surfaces.detail ?? ''}>
          <span dir="auto">{blueprint}</span>·<span>{plural(rules.length, '{count} rule', '{count} rules')}</span>
        </Group>
      </div>
      <div className={classes.rowBar}>
        {read.error ? (
          <Text size="sm" c="dimmed">
            {t('The levels could not be counted.')}
          </Text>
        ) : read.data ? (
          <DistributionBar label={t('Levels of {title}', { title })} shares={shares} />
        ) : (
          <Skeleton height={34} />
        )}
      </div>
    </li>
  );
}
