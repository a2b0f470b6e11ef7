import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { open } from '../../api/api.ts';
import { locale } from '../../kit/language.ts';
import { Menu } from '../../kit/menu.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { type AuditNames, type AuditRecord, actorName, describeAudit } from '../../parts/audit/sentence.ts';
import { download } from '../../parts/entities/export-entities.ts';
import { toCsvText } from '../../parts/entities/to-csv.ts';

type Query = Readonly<Record<string, string | readonly string[]>>;

/** Saves all records that the filters let through. */
export function ExportAudit({ query, names }: { query: Query; names: AuditNames }) {
  const toast = useToast();
  const [isRunning, setRunning] = useState(false);
  const save = async (kind: 'csv' | 'ndjson') => {
    setRunning(true);
    try {
      const lines = (await (await open('exportAuditLog', { query })).text()).trimEnd().split('\n');
      const end = JSON.parse(lines.pop() ?? '{}') as { done?: true; records?: number; more?: string | null };
      if (end.done !== true) throw new Error(t('the answer broke off'));
      const name = `audit-log-${new Date().toISOString().slice(0, 10)}`;
      if (kind === 'ndjson') download(`${name}.ndjson`, 'application/x-ndjson', `${lines.join('\n')}\n`);
      else download(`${name}.csv`, 'text/csv;charset=utf-8', toTable(lines, names));
      const count = t('{count} {word} saved', {
        count: lines.length.toLocaleString(locale),
        word: lines.length === 1 ? t('record was') : t('records were'),
      });
      toast(end.more ? t('{count}; there are older ones: narrow the filters to save them too', { count }) : count);
    } catch (error) {
      toast({ text: t('The export failed: {message}', { message: (error as Error).message }), kind: 'failure' });
    } finally {
      setRunning(false);
    }
  };
  return (
    <Menu position="bottom-end" withinPortal shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={14} />} loading={isRunning}>
          {t('Export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('csv')}>{t('CSV, a row for each record')}</Menu.Item>
        <Menu.Item onClick={() => void save('ndjson')}>{t('JSON lines, everything')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const columns = [
  t('Time'),
  t('Who'),
  t('Id'),
  t('Did'),
  t('Kind'),
  t('Thing'),
  t('Detail'),
  t('Outcome'),
  t('Via'),
  t('Context'),
  t('Record'),
] as const;

function toTable(lines: readonly string[], names: AuditNames): string {
  const rows = lines.map((line) => {
    const record = JSON.parse(line) as AuditRecord;
    const { did, kind, thing, detail } = describeAudit(record, names);
    const { trigger, status, context, identifier } = record;
    const { by, origin, at } = trigger ?? {};
    return [at, actorName(record, names), by?.userId, did, kind, thing, detail, status, origin, context, identifier];
  });
  return toCsvText([[...columns], ...rows]);
}
