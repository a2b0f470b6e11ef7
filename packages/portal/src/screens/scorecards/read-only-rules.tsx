import { Alert } from '@mantine/core';
import type { Scorecard } from '@portolan/contract/scorecards';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { useTeams } from '../../parts/entities/team-form.ts';
import { useFields } from '../../parts/entities/use-fields.ts';
import { type ConditionGroup, writeSentence } from './conditions.ts';
import classes from './scorecards.module.css';

/** The rules in words, for people who may not change them. */
export function ReadOnlyRules({ scorecard: { blueprint, filter, levels, rules } }: { scorecard: Scorecard }) {
  const { fields = [] } = useFields(blueprint);
  const { nameOf } = useTeams();
  const words = (group: unknown) => writeSentence(group as ConditionGroup, fields, nameOf);
  return (
    <>
      <Alert color="blue" mb="md" title={t('You can read these rules')}>
        {t('Only administrators can change scorecards. Ask one to add, change or remove a rule.')}
      </Alert>
      <section className={classes.levelsForm} aria-label={t('Levels and rules')}>
        <p className={classes.none}>
          {filter ? t('Measures entities where {filter}.', { filter: words(filter) }) : t('Measures all entities.')}
        </p>
        {[...levels].reverse().map(({ title, color }) => (
          <div key={title} className={classes.level}>
            <h3 className={classes.levelTitle}>
              <ColourBadge colour={color}>{title}</ColourBadge>
            </h3>
            <ul className={classes.rules}>
              {rules
                .filter(({ level }) => level === title)
                .map((rule) => (
                  <li key={rule.identifier} className={classes.rule}>
                    <div className={classes.ruleText}>
                      <span dir="auto">{rule.title}</span>
                      <span className={classes.sentence} dir="auto">
                        {words(rule.query)}
                      </span>
                    </div>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </section>
    </>
  );
}
