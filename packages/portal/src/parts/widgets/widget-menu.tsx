import { ActionIcon } from '@mantine/core';
import { ChartColumn, Download, Ellipsis, Table2 } from 'lucide-react';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../kit/translate.ts';
import { download } from '../entities/export-entities.ts';
import { toCsvText } from '../entities/to-csv.ts';
import type { Figures } from './figures.tsx';

/** What can be done with the figures of a widget. */
export function WidgetMenu({
  title,
  isTable,
  onTable,
  read,
}: {
  title: string;
  isTable: boolean;
  onTable: (isTable: boolean) => void;
  read: () => readonly Figures[];
}) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon size={24} aria-label={t('Menu of {title}', { title })}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={isTable ? <ChartColumn size={14} /> : <Table2 size={14} />}
          onClick={() => onTable(!isTable)}
        >
          {isTable ? t('Show as chart') : t('Show as table')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Download size={14} />}
          onClick={() => download(`${fileName(title)}.csv`, 'text/csv;charset=utf-8', csvOf(read()))}
        >
          {t('Download as CSV')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Tables one after another, with a line between them; the mark at the start tells spreadsheets that it is UTF-8. */
function csvOf(tables: readonly Figures[]): string {
  const parts = tables.map(({ label, heads, rows }) =>
    toCsvText([...(tables.length > 1 ? [[label]] : []), heads, ...rows]),
  );
  return `\uFEFF${parts.join('\r\n\r\n')}\r\n`;
}

function fileName(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'figures'
  );
}
