import { SimpleGrid, Title } from '@mantine/core';
import { CircleCheck, CircleX } from 'lucide-react';
import { useRead } from '../../api/query.ts';
import { EmptyState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import type { FieldEntity } from '../../parts/entities/fields.ts';
import { ExemptMark, findCovering } from '../../parts/exemptions/exempt-mark.tsx';
import { colourValues } from '../../theme/colours.ts';
import classes from './entity.module.css';

interface Result {
  readonly level?: string;
  readonly rules?: readonly { readonly identifier: string; readonly status: string; readonly level: string }[];
}

/** The entity's level on each scorecard, and the rules of each level. */
export function Scorecards({ blueprint, entity }: { blueprint: string; entity: FieldEntity }) {
  const read = useRead('listScorecards', { params: { blueprint_identifier: blueprint } });
  return (
    <Reading of={read}>
      {({ scorecards }) => {
        const shown = scorecards.filter(({ identifier }) => entity.scorecards?.[identifier] !== undefined);
        if (shown.length === 0)
          return (
            <EmptyState title={t('No scorecard applies')}>
              {t('The filters of the scorecards leave this entity out.')}
            </EmptyState>
          );
        return (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            {shown.map(({ identifier, title, levels, rules }) => {
              const result = entity.scorecards?.[identifier] as Result;
              const reached = levels.findIndex((level) => level.title === result.level);
              const statuses = new Map(result.rules?.map((rule) => [rule.identifier, rule.status]));
              return (
                <section key={identifier} className={classes.block} aria-label={title}>
                  <div className={classes.recordHead}>
                    <Title order={2} size="h3">
                      {title}
                    </Title>
                    <ColourBadge colour={levels[reached]?.color}>{result.level ?? t('no level')}</ColourBadge>
                  </div>
                  <ol className={classes.levels} aria-label={t('Levels of {title}', { title })}>
                    {levels.map((level, index) => (
                      <li
                        key={level.title}
                        className={classes.level}
                        data-reached={index <= reached || undefined}
                        aria-current={index === reached ? 'step' : undefined}
                        style={index <= reached ? { borderTopColor: colourValues(level.color).solid } : undefined}
                      >
                        {level.title}
                      </li>
                    ))}
                  </ol>
                  {levels.slice(1).map((level) => (
                    <RuleList
                      key={level.title}
                      subject={{ blueprint, scorecard: identifier, entity: entity.identifier ?? '' }}
                      level={level.title}
                      rules={rules
                        .filter((rule) => rule.level === level.title)
                        .map((rule) => ({ ...rule, isMet: statuses.get(rule.identifier) === 'SUCCESS' }))}
                    />
                  ))}
                </section>
              );
            })}
          </SimpleGrid>
        );
      }}
    </Reading>
  );
}

function RuleList({
  subject: { blueprint, scorecard, entity },
  level,
  rules,
}: {
  subject: { blueprint: string; scorecard: string; entity: string };
  level: string;
  rules: readonly { identifier: string; title: string; description?: string | undefined; isMet: boolean }[];
}) {
  const { data } = useRead('listExemptions', {
    params: { blueprint_identifier: blueprint, scorecard_identifier: scorecard },
    query: { entity },
  });
  if (rules.length === 0) return null;
  return (
    <>
      <Title order={3} size="h4" mt="xs">
        {level}
      </Title>
      <ul className={classes.rules}>
        {rules.map(({ identifier, title, description, isMet }) => (
          <li key={identifier} title={description}>
            {isMet ? (
              <CircleCheck size={16} className={classes.good} aria-label={t('met')} role="img" />
            ) : (
              <CircleX size={16} className={classes.bad} aria-label={t('not met')} role="img" />
            )}
            {title}
            <RuleExemption exemption={isMet ? undefined : findCovering(data?.exemptions, identifier)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function RuleExemption({ exemption }: { exemption: Parameters<typeof ExemptMark>[0]['exemption'] | undefined }) {
  return exemption ? <ExemptMark exemption={exemption} /> : null;
}
