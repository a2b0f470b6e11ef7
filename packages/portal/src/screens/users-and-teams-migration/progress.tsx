import { Group, Loader, Stack, Text } from '@mantine/core';
import { Check, Circle } from 'lucide-react';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { t } from '../../kit/translate.ts';
import classes from './migration.module.css';
import { isMigrated, type Report, stages, undoStages } from './stage.ts';

/** The progress of the migration by stage. Screen readers announce only a change of stage. */
export function Progress({ report }: { report: Report }) {
  const isUndo = report.stage === 'UNDOING' || (!isMigrated(report) && report.stage === 'RECOMPUTING');
  const shown = isUndo ? undoStages : stages;
  const at = shown.findIndex(({ key }) => key === report.stage);
  return (
    <Stack gap="md">
      <Text>
        {isUndo ? t('Undoing') : t('Started')} <RelativeTime at={report.createdAt} />
        {report.createdBy && <> {t('by {createdBy}', { createdBy: report.createdBy })}</>}
        {t('. You may close this page: it goes on, and every administrator sees the same.')}
      </Text>
      <ol className={classes.stages}>
        {shown.map(({ key, text }, index) => (
          <li key={key} aria-current={index === at ? 'step' : undefined} data-state={index < at ? 'done' : undefined}>
            {index < at && <Check size={16} aria-hidden="true" />}
            {index === at && <Loader size={16} aria-hidden="true" />}
            {index > at && <Circle size={16} aria-hidden="true" />}
            {text}
          </li>
        ))}
      </ol>
      <Group gap="lg">
        {Object.entries(report.counts)
          .filter(([name]) => !name.includes(':'))
          .map(([name, count]) => (
            <span key={name}>
              <strong>{count.toLocaleString(locale)}</strong> {name}
            </span>
          ))}
      </Group>
      <div className="visually-hidden" role="status">
        {shown[at]?.text ?? t('Waiting to begin')}
      </div>
    </Stack>
  );
}
