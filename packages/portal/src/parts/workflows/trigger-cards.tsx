import { Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/query.ts';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../badges.tsx';
import { EntityIcon } from '../entity-icon.tsx';
import { formTitle } from './entity-triggers.ts';
import { startAddress } from './workflow-links.ts';

/** The classes of cards of self-service, which belong to its screen. */
interface CardClasses {
  readonly cards?: string | undefined;
  readonly card?: string | undefined;
  readonly cardIcon?: string | undefined;
  readonly cardText?: string | undefined;
  readonly cardLink?: string | undefined;
  readonly cardVerb?: string | undefined;
}

/** The forms by which the user may start workflows, beside the actions; nothing where there are none. */
export function TriggerCards({ words, classes }: { words: string; classes: CardClasses }) {
  const triggers = useRead('listSelfServiceTriggers').data?.triggers ?? [];
  const shown = triggers.filter(({ workflow, title, description, contexts }) => {
    const isHidden = contexts.some((each) => each['on'] === 'SELF_SERVICE_HUB' && each['visible'] === false);
    const text = [workflow.identifier, workflow.title, workflow.description, workflow.category, title, description];
    return !isHidden && text.join(' ').toLowerCase().includes(words.toLowerCase());
  });
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="workflow-cards">
      <Title order={2} size="h3" mt="lg" mb="sm" id="workflow-cards">
        {t('Workflows')}
      </Title>
      <ul className={classes.cards}>
        {shown.map((trigger) => {
          const { workflow, nodeIdentifier, icon, description, actionCardButtonText, variant } = trigger;
          const isOne = triggers.filter((each) => each.workflowIdentifier === workflow.identifier).length === 1;
          const said = description || workflow.description;
          return (
            <li key={`${workflow.identifier} ${nodeIdentifier}`} className={classes.card}>
              <span className={classes.cardIcon}>
                <EntityIcon name={icon ?? workflow.icon ?? ''} size={20} />
              </span>
              <div className={classes.cardText}>
                <Link
                  {...startAddress(workflow.identifier, isOne ? undefined : nodeIdentifier)}
                  className={classes.cardLink}
                >
                  <span dir="auto">{formTitle(trigger, triggers)}</span>
                </Link>
                {said && (
                  <Text size="sm" c="dimmed" lineClamp={2} dir="auto">
                    {said}
                  </Text>
                )}
                <ColourBadge colour={variant === 'ALERT' ? 'red' : 'purple'}>
                  {workflow.category || t('Workflow')}
                </ColourBadge>
              </div>
              <span className={classes.cardVerb} aria-hidden="true">
                {actionCardButtonText || t('Start')}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
