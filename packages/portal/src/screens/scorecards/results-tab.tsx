import { Button, Skeleton, Table, Text, Title } from '@mantine/core';
import type { Scorecard } from '@portolan/contract/scorecards';
import { useState } from 'react';
import { useUrlState } from '../../frame/url-state.ts';
import { locale } from '../../kit/language.ts';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { ExemptionList } from '../../parts/exemptions/exemption-list.tsx';
import { DistributionBar } from './distribution-bar.tsx';
import { FoundEntities } from './found-entities.tsx';
import { Leaderboard } from './leaderboard.tsx';
import { ScorecardCampaigns } from './scorecard-campaigns.tsx';
import classes from './scorecards.module.css';
import { ShowMore } from './show-more.tsx';
import { useDistribution } from './use-distribution.ts';

const path = '/builder/scorecards/$blueprint/$scorecard';
const step = 50;

/** Who is at which level, who fails which rule, and how teams stand. */
export function ResultsTab({ scorecard }: { scorecard: Scorecard }) {
  const { blueprint, identifier, levels, rules, title } = scorecard;
  const { read, shares } = useDistribution(blueprint, identifier, levels);
  const [level, setLevel] = useUrlState(path, 'level');
  const [rule, setRule] = useUrlState(path, 'rule');
  const [shownMax, setShownMax] = useState(step);
  return (
    <div className={classes.results}>
      <section className={surfaces.block} aria-label={t('Levels')}>
        <Title order={2} size="h3" mb="sm">
          {t('Levels')}
        </Title>
        <Reading of={read}>
          {() => (
            <>
              <DistributionBar label={t('Levels of {title}', { title })} shares={shares} />
              <div className={classes.chips}>
                {[...shares].reverse().map((share) => (
                  <Button
                    key={share.title}
                    size="xs"
                    variant={level === share.title ? 'light' : 'default'}
                    aria-pressed={level === share.title}
                    onClick={() => setLevel(level === share.title ? undefined : share.title)}
                  >
                    {t('Show {title} ({count})', { title: share.title, count: share.count.toLocaleString(locale) })}
                  </Button>
                ))}
              </div>
            </>
          )}
        </Reading>
      </section>
      {level !== undefined && (
        <FoundEntities
          blueprint={blueprint}
          label={t('Entities at {level}', { level })}
          rule={{ scorecard: identifier, operator: '=', value: level }}
          onClose={() => setLevel(undefined)}
        />
      )}
      <ScorecardCampaigns scorecard={scorecard} />
      <section className={surfaces.block} aria-label={t('Rules')}>
        <Title order={2} size="h3" mb="sm">
          {t('Rules')}
        </Title>
        {rules.length === 0 ? (
          <Text c="dimmed">
            {t('No rules yet. Every measured entity stays at')} {levels[0]?.title}.
          </Text>
        ) : (
          <ScrolledTable label={t('Rules')} minWidth={520}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('Rule')}</Table.Th>
                <Table.Th scope="col">{t('Level')}</Table.Th>
                <Table.Th scope="col">{t('Passing')}</Table.Th>
                <Table.Th scope="col">{t('Failing')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rules.slice(0, shownMax).map((each) => (
                <RuleLine
                  key={each.identifier}
                  scorecard={scorecard}
                  rule={each}
                  result={read.data?.rules.find((found) => found.identifier === each.identifier)}
                  isShown={rule === each.identifier}
                  onShow={() => setRule(rule === each.identifier ? undefined : each.identifier)}
                />
              ))}
            </Table.Tbody>
          </ScrolledTable>
        )}
        <ShowMore
          mt="sm"
          size="xs"
          what={t('rules')}
          left={rules.length - shownMax}
          onMore={() => setShownMax(shownMax + step)}
        />
      </section>
      {rule !== undefined && (
        <FoundEntities
          blueprint={blueprint}
          label={t('Entities that fail {title}', {
            title: rules.find((each) => each.identifier === rule)?.title ?? rule,
          })}
          rule={failing(identifier, rule)}
          onClose={() => setRule(undefined)}
        >
          <ExemptionList
            blueprint={blueprint}
            scorecard={scorecard}
            rules={[rule]}
            rule={rule}
            dataset={{ combinator: 'and', rules: [failing(identifier, rule)] }}
          />
        </FoundEntities>
      )}
      <Leaderboard scorecard={scorecard} />
    </div>
  );
}

function failing(scorecard: string, rule: string) {
  return { scorecard, scorecardRule: rule, operator: '=', value: 'FAILURE' } as const;
}

function RuleLine({
  scorecard: { levels },
  rule,
  result,
  isShown,
  onShow,
}: {
  scorecard: Scorecard;
  rule: Scorecard['rules'][number];
  result: { readonly passed: number; readonly failed: number } | undefined;
  isShown: boolean;
  onShow: () => void;
}) {
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.ruleName}>
        <span dir="auto">{rule.title}</span>
      </Table.Th>
      <Table.Td>
        <ColourBadge colour={levels.find(({ title }) => title === rule.level)?.color}>{rule.level}</ColourBadge>
      </Table.Td>
      {result ? (
        <>
          <Table.Td>{result.passed.toLocaleString(locale)}</Table.Td>
          <Table.Td>
            {result.failed === 0 ? (
              '0'
            ) : (
              <Button
                size="compact-sm"
                variant={isShown ? 'light' : 'default'}
                aria-pressed={isShown}
                aria-label={t('Show {failed} failing {title}', { failed: result.failed, title: rule.title })}
                onClick={onShow}
              >
                {t('Show {failed}', { failed: result.failed.toLocaleString(locale) })}
              </Button>
            )}
          </Table.Td>
        </>
      ) : (
        <Table.Td colSpan={2}>
          <Skeleton height={20} animate={false} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}
