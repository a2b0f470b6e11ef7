import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../api/query.ts';
import { useUrlState } from '../../../frame/url-state.ts';
import { Block } from '../../../kit/block.tsx';
import { DiffView } from '../../../kit/diff-view.tsx';
import { locale } from '../../../kit/language.ts';
import { SegmentedControl } from '../../../kit/segmented-control.tsx';
import { Reading } from '../../../kit/states.tsx';
import { t } from '../../../kit/translate.ts';
import classes from '../integrations.module.css';
import { isOpen, type Sync } from './own-source.ts';
import { Paging } from './sync-problems.tsx';

const changeWords = {
  created: t('Create'),
  changed: t('Change'),
  deleted: t('Delete'),
  marked: t('Keep for now'),
} as const;

/** What a plan would change, by kind of change, each with what was before. */
export function SyncChanges({ source, sync }: { source: string; sync: Sync }) {
  const [change = 'created', setChange] = useUrlState('/builder/sources/own/$source', 'change');
  const [after, setAfter] = useState(0);
  const input = { params: { source_identifier: source, sync_id: sync.id }, query: { after, change } };
  const reading = useRead('listSourceSyncChanges', input, { isOn: !isOpen(sync) });
  if (isOpen(sync)) return null;
  return (
    <Block title={t('What would change')}>
      <Stack gap="sm" align="flex-start">
        <SegmentedControl
          aria-label={t('Kind of change')}
          data={Object.entries(changeWords).map(([value, label]) => {
            const count = sync.counts[value as keyof typeof changeWords];
            return { value, label: `${label} (${count.toLocaleString(locale)})` };
          })}
          value={change}
          onChange={(next) => {
            setChange(next);
            setAfter(0);
          }}
        />
        <Reading of={reading}>
          {({ changes, next }) => (
            <>
              {changes.length === 0 && <Text c="dimmed">{t('Nothing of this kind.')}</Text>}
              {changes.map(({ item, blueprint, identifier, before, after: planned }) => (
                <details key={`${item} ${blueprint} ${identifier}`} className={classes.opened}>
                  <summary>
                    {blueprint} <code>{identifier}</code>
                  </summary>
                  <DiffView before={before ?? {}} after={planned ?? {}} />
                </details>
              ))}
              <Paging after={after} next={next} onPage={setAfter} />
            </>
          )}
        </Reading>
      </Stack>
    </Block>
  );
}
