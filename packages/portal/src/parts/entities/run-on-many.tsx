import { Button } from '@mantine/core';
import { Play } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../kit/translate.ts';

// loaded with the first action that is run on many
const RunDialog = lazy(async () => ({ default: (await import('./run-dialog.tsx')).RunDialog }));

type Action = AnswerOf<'listActions'>['actions'][number];

/** Runs an action on each of the selected entities, with the same inputs. */
export function RunOnMany(props: { blueprint: string; title: string; identifiers: readonly string[] }) {
  const [isUsed, setUsed] = useState(false);
  const [chosen, setChosen] = useState<Action>();
  return (
    <>
      <Menu position="top-start" withinPortal onOpen={() => setUsed(true)}>
        <Menu.Target>
          <Button size="compact-md" variant="default" leftSection={<Play size={14} />}>
            {t('Run action')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>{isUsed && <Actions blueprint={props.blueprint} onChoose={setChosen} />}</Menu.Dropdown>
      </Menu>
      {chosen && (
        <Suspense fallback={null}>
          <RunDialog {...props} action={chosen} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  );
}

function Actions({ blueprint, onChoose }: { blueprint: string; onChoose: (action: Action) => void }) {
  const { data } = useRead('listActions', {
    query: {
      blueprint_identifier: blueprint,
      trigger_type: 'self-service',
      operation: ['DAY-2', 'DELETE'],
      published: 'true',
    },
  });
  if (!data) return <Menu.Label>{t('Loading actions')}</Menu.Label>;
  if (data.actions.length === 0) return <Menu.Label>{t('No actions for this type')}</Menu.Label>;
  return data.actions.map((action) => (
    <Menu.Item key={action.identifier} onClick={() => onChoose(action)}>
      {action.title ?? action.identifier}
    </Menu.Item>
  ));
}
