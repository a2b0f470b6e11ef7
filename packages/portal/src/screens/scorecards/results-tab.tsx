import { Button, Skeleton, Text, Title } from '@mantine/core';
import type { Scorecard } from '@portolan/contract/scorecards';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { ColourBadge } from '../../parts/badges.tsx';
import { DistributionBar } from './distribution-bar.tsx';
import { FoundEntities } from './found-entities.tsx';
import { Leaderboard } from './leaderboard.tsx';
import classes from './scorecards.module.css';
import { useDistribution } from './use-distribution.ts';

const path = '/builder/scorecards/$blueprint/$scorecard';
/** Each rule is counted by a request of its own, so that many are shown in steps. */
const step = 15;

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
      <section className={surfaces.block} aria-label="Rules">
        <Title order={2} size="h3" mb="sm">
          Rules
        </Title>
        {rules.length === 0 ? (
          <Text c="dimmed">No rules yet. Every measured entity stays at {levels[0]?.title}.</Text>
        ) : (
          <ScrolledTable label="Rules" minWidth={520}>
            <thead>
              <tr>
                <th scope="col">Rule</th>
                <th scope="col">Level</th>
                <th scope="col">Passing</th>
                <th scope="col">Failing</th>
              </tr>
            </thead>
            <tbody>
              {rules.slice(0, shownMax).map((each) => (
                <RuleLine
                  key={each.identifier}
                  scorecard={scorecard}
                  rule={each}
                  isShown={rule === each.identifier}
                  onShow={() => setRule(rule === each.identifier ? undefined : each.identifier)}
                />
              ))}
            </tbody>
          </ScrolledTable>
        )}
        {rules.length > shownMax && (
          <Button mt="sm" size="xs" variant="default" onClick={() => setShownMax(shownMax + step)}>
            Show more rules ({(rules.length - shownMax).toLocaleString()})
          </Button>
        )}
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
  scorecard: { blueprint, identifier, levels },
  rule,
  isShown,
  onShow,
}: {
  scorecard: Scorecard;
  rule: Scorecard['rules'][number];
  isShown: boolean;
  onShow: () => void;
}) {
  const read = useRead('aggregateEntities', {
    body: {
      func: 'countValues',
      scorecard: identifier,
      rule: rule.identifier,
      query: { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: blueprint }] },
    },
  });
  const groups = read.data && 'groups' in read.data.result ? read.data.result.groups : [];
  const countOf = (status: string) => groups.find(({ value }) => value === status)?.count ?? 0;
  const failing = countOf('FAILURE');
  return (
    <tr>
      <th scope="row" className={classes.ruleName}>
        <span dir="auto">{rule.title}</span>
      </th>
      <td>
        <ColourBadge colour={levels.find(({ title }) => title === rule.level)?.color}>{rule.level}</ColourBadge>
      </td>
      {read.data ? (
        <>
          <td>{countOf('SUCCESS').toLocaleString()}</td>
          <td>
            {failing === 0 ? (
              '0'
            ) : (
              <Button
                size="compact-sm"
                variant={isShown ? 'light' : 'default'}
                aria-pressed={isShown}
                aria-label={`Show ${failing} failing ${rule.title}`}
                onClick={onShow}
              >
                Show {failing.toLocaleString()}
              </Button>
            )}
          </td>
        </>
      ) : (
        <td colSpan={2}>{read.error ? 'Could not be counted' : <Skeleton height={20} />}</td>
      )}
    </tr>
  );
}
