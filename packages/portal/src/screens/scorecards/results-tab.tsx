import { Button, Skeleton, Table, Text, Title } from '@mantine/core';
import type { Scorecard } from '@portolan/contract/scorecards';
import { useState } from 'react';
import { useUrlState } from '../../frame/url-state.ts';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { ColourBadge } from '../../parts/badges.tsx';
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
      <section className={surfaces.block} aria-label="Levels">
        <Title order={2} size="h3" mb="sm">
          Levels
        </Title>
        <Reading of={read}>
          {() => (
            <>
              <DistributionBar label={`Levels of ${title}`} shares={shares} />
              <div className={classes.chips}>
                {[...shares].reverse().map((share) => (
                  <Button
                    key={share.title}
                    size="xs"
                    variant={level === share.title ? 'light' : 'default'}
                    aria-pressed={level === share.title}
                    onClick={() => setLevel(level === share.title ? undefined : share.title)}
                  >
                    Show {share.title} ({share.count.toLocaleString()})
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
          label={`Entities at ${level}`}
          rule={{ scorecard: identifier, operator: '=', value: level }}
          onClose={() => setLevel(undefined)}
        />
      )}
      <ScorecardCampaigns scorecard={scorecard} />
      <section className={surfaces.block} aria-label="Rules">
        <Title order={2} size="h3" mb="sm">
          Rules
        </Title>
        {rules.length === 0 ? (
          <Text c="dimmed">No rules yet. Every measured entity stays at {levels[0]?.title}.</Text>
        ) : (
          <ScrolledTable label="Rules" minWidth={520}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Rule</Table.Th>
                <Table.Th scope="col">Level</Table.Th>
                <Table.Th scope="col">Passing</Table.Th>
                <Table.Th scope="col">Failing</Table.Th>
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
          what="rules"
          left={rules.length - shownMax}
          onMore={() => setShownMax(shownMax + step)}
        />
      </section>
      {rule !== undefined && (
        <FoundEntities
          blueprint={blueprint}
          label={`Entities that fail ${rules.find((each) => each.identifier === rule)?.title ?? rule}`}
          rule={{ scorecard: identifier, scorecardRule: rule, operator: '=', value: 'FAILURE' }}
          onClose={() => setRule(undefined)}
        />
      )}
      <Leaderboard scorecard={scorecard} />
    </div>
  );
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
          <Table.Td>{result.passed.toLocaleString()}</Table.Td>
          <Table.Td>
            {result.failed === 0 ? (
              '0'
            ) : (
              <Button
                size="compact-sm"
                variant={isShown ? 'light' : 'default'}
                aria-pressed={isShown}
                aria-label={`Show ${result.failed} failing ${rule.title}`}
                onClick={onShow}
              >
                Show {result.failed.toLocaleString()}
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
