import { Button } from '@mantine/core';
import { Rows3 } from 'lucide-react';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../kit/translate.ts';
import { type Field, isGroupable } from './fields.ts';

/** Chooses the field whose values group the rows. */
export function GroupBy({
  fields,
  value,
  onChange,
}: {
  fields: readonly Field[];
  value: string | undefined;
  onChange: (key: string | undefined) => void;
}) {
  const groupable = fields.filter(isGroupable);
  const chosen = groupable.find(({ key }) => key === value);
  return (
    <Menu position="bottom-start" withinPortal shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<Rows3 size={14} aria-hidden="true" />}>
          {chosen ? t('Grouped by {title}', { title: chosen.title }) : t('Group by')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.RadioGroup value={chosen?.key ?? ''} onChange={(key) => onChange(key || undefined)}>
          <Menu.RadioItem value="" closeMenuOnClick>
            {t('No groups')}
          </Menu.RadioItem>
          {groupable.map(({ key, title }) => (
            <Menu.RadioItem key={key} value={key} closeMenuOnClick>
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
