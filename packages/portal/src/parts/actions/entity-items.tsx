import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useRead } from '../../api/query.ts';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../kit/translate.ts';
import { joined, type Query } from '../entities/operators.ts';
import { formAddress } from '../run-things.ts';
import { WorkflowItems } from '../workflows/workflow-items.tsx';

interface Trigger {
  readonly operation?: string;
  readonly condition?: Query & { readonly type?: string };
}

/** The self-service actions for an existing entity, and the workflows. */
export function ActionItems({
  isWhole = false,
  ...about
}: {
  blueprint: string;
  entity: string;
  /** Nothing else stands in the menu. */
  isWhole?: boolean;
}) {
  return (
    <>
      <Actions {...about} isLast={isWhole} />
      <WorkflowItems {...about} isLast={isWhole} />
    </>
  );
}

function Actions({ blueprint, entity, isLast }: { blueprint: string; entity: string; isLast: boolean }) {
  const { data, isPending } = useRead('listActions', {
    query: {
      blueprint_identifier: blueprint,
      trigger_type: 'self-service',
      operation: ['DAY-2', 'DELETE'],
      published: 'true',
    },
  });
  if (isPending) return <Menu.Label>{t('Reading the actions')}</Menu.Label>;
  const actions = data?.actions ?? [];
  if (actions.length === 0) return null;
  return (
    <>
      <Menu.Label>{t('Actions')}</Menu.Label>
      {actions.map(({ identifier, title, trigger }) => (
        <ActionItem
          key={identifier}
          identifier={identifier}
          title={title ?? identifier}
          blueprint={blueprint}
          entity={entity}
          trigger={trigger as Trigger}
        />
      ))}
      {!isLast && <Menu.Divider />}
    </>
  );
}

function ActionItem({
  identifier,
  title,
  blueprint,
  entity,
  trigger,
}: {
  identifier: string;
  title: string;
  blueprint: string;
  entity: string;
  trigger: Trigger;
}) {
  const navigate = useNavigate();
  const { condition } = trigger;
  const query = condition && joined([{ combinator: condition.combinator, rules: condition.rules }]);
  // the server evaluates the action's condition on the entity
  const fits = useRead(
    'searchBlueprintEntities',
    {
      params: { blueprint_identifier: blueprint },
      body: {
        limit: 1,
        include: ['$identifier'],
        query: {
          combinator: 'and',
          rules: [{ property: '$identifier', operator: '=', value: entity }, ...(query ? [query] : [])],
        },
      },
    },
    { isOn: query !== undefined },
  );
  const isRefused = query !== undefined && fits.data?.entities.length === 0;
  return (
    <Menu.Item
      leftSection={<Play size={14} />}
      disabled={isRefused}
      onClick={() => void navigate(formAddress(identifier, { blueprint }, entity))}
    >
      {title}
      {isRefused && (
        <Text size="xs" c="dimmed">
          {t('Not for this entity as it is now')}
        </Text>
      )}
    </Menu.Item>
  );
}
