import { Kbd, Switch, Table } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../kit/dialog.tsx';
import { t } from '../kit/translate.ts';
import { useKnownCommands } from './commands.tsx';
import { hasSingleKeys, setSingleKeys, spell } from './keys.ts';

/** The list of all available shortcuts. */
export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const commands = useKnownCommands().filter(({ keys }) => keys);
  const [areSinglesOn, setSinglesOn] = useState(hasSingleKeys);
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('Keyboard shortcuts')}>
      <Table verticalSpacing={4}>
        <Table.Tbody>
          {commands.map(({ id, label, keys }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" fw={400}>
                {label}
              </Table.Th>
              <Table.Td ta="right">
                <Kbd size="xs">{spell(keys ?? '')}</Kbd>
              </Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Th scope="row" fw={400}>
              {t('Close what is on top')}
            </Table.Th>
            <Table.Td ta="right">
              <Kbd size="xs">{t('Esc')}</Kbd>
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Switch
        mt="md"
        label={t('Shortcuts of single keys')}
        description={t('Those without Ctrl or ⌘. They never act while you type.')}
        checked={areSinglesOn}
        onChange={({ currentTarget }) => {
          setSingleKeys(currentTarget.checked);
          setSinglesOn(currentTarget.checked);
        }}
      />
    </Dialog>
  );
}
