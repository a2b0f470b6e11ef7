import { Button } from '@mantine/core';
import { Braces, History, Link as LinkIcon, Play } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { Menu } from '../../kit/menu.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { whenOpened } from '../../kit/when-opened.tsx';
import type { FieldEntity } from '../../parts/entities/fields.ts';
import { entityInput } from '../../parts/workflows/entity-input.ts';

const ActionItems = lazy(async () => ({
  default: (await import('../../parts/actions/entity-items.tsx')).ActionItems,
}));

/** The actions that can be run on entities of the blueprint. */
export function useEntityActions(blueprint: string) {
  return useRead('listActions', {
    query: {
      blueprint_identifier: blueprint,
      trigger_type: 'self-service',
      operation: ['DAY-2', 'DELETE'],
      published: 'true',
    },
  });
}

/** Actions that can be run on the entity, and workflows that can be started for it; nothing if there are none. */
export function ActionsMenu({ blueprint, identifier }: { blueprint: string; identifier: string }) {
  const { data } = useEntityActions(blueprint);
  const { triggers = [] } = useRead('listSelfServiceTriggers').data ?? {};
  const isStarting = triggers.some((form) => entityInput(form, blueprint) !== undefined);
  const [isOpen, setOpen] = useState(false);
  useCommands([{ id: 'entity-actions', label: t('Run an action on the entity'), keys: '.', run: () => setOpen(true) }]);
  if (!data?.actions.length && !isStarting) return null;
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal shadow="md" width={260}>
      <Menu.Target>
        <Button leftSection={<Play size={14} />}>{t('Actions')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isOpen && (
          <Suspense fallback={<Menu.Label>{t('Reading the actions')}</Menu.Label>}>
            <ActionItems blueprint={blueprint} entity={identifier} isWhole />
          </Suspense>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Shows the entity as it was, beginning with now. */
export function HistoryButton() {
  const [, setAsOf] = useUrlState('/e/$blueprint/$entity', 'as_of');
  const open = () => setAsOf(new Date().toISOString(), { isStep: true });
  useCommands([{ id: 'entity-history', label: t('Show the entity as it was'), keys: 'h', run: open }]);
  return (
    <Button variant="default" leftSection={<History size={14} />} onClick={open}>
      {t('History')}
    </Button>
  );
}

export function CopyLink({ address }: { address: string }) {
  const toast = useToast();
  return (
    <Button
      variant="default"
      leftSection={<LinkIcon size={14} />}
      onClick={() =>
        void navigator.clipboard.writeText(location.origin + address).then(() => toast(t('The link was copied')))
      }
    >
      {t('Copy link')}
    </Button>
  );
}

const JsonDialog = whenOpened(async () => (await import('./json-dialog.tsx')).JsonDialog);

export function JsonView({ entity }: { entity: FieldEntity }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<Braces size={14} />} onClick={() => setOpen(true)}>
        {t('JSON')}
      </Button>
      <JsonDialog entity={entity} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
