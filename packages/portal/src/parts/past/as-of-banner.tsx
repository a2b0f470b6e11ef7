import { Alert, Button, Group, TextInput } from '@mantine/core';
import { ChevronLeft, ChevronRight, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCommands } from '../../frame/commands.tsx';
import { exact } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { toLocalTime, toMoment } from '../entities/filter-value.tsx';
import classes from './past.module.css';

interface AsOfBannerProps {
  readonly at: string;
  /** Moments of what was before the change in force, and of the next change; absent where there is none. */
  readonly earlier?: string | undefined;
  readonly later?: string | undefined;
  /** Shows another moment, or with undefined what is there now. */
  readonly onGo: (at: string | undefined) => void;
  /** Whether changes can be walked through. */
  readonly hasSteps?: boolean;
  readonly children?: ReactNode;
}

/** Says that a screen shows the past, and leads to other moments and back. */
export function AsOfBanner({ at, earlier, later, onGo, hasSteps = false, children }: AsOfBannerProps) {
  useCommands([
    ...(earlier
      ? [{ id: 'as-of-earlier', label: t('Show it before this change'), keys: '[', run: () => onGo(earlier) }]
      : []),
    ...(later
      ? [{ id: 'as-of-later', label: t('Show it after the next change'), keys: ']', run: () => onGo(later) }]
      : []),
    { id: 'as-of-now', label: t('Back to now'), run: () => onGo(undefined) },
  ]);
  return (
    <Alert color="blue" mb="md" role="status" title={t('As it was on {moment}', { moment: exact(new Date(at)) })}>
      <Group gap="xs" className={classes.controls ?? ''}>
        {hasSteps && (
          <>
            <Button
              variant="default"
              size="xs"
              leftSection={<ChevronLeft size={14} />}
              disabled={!earlier}
              onClick={() => onGo(earlier)}
            >
              {t('Before this change')}
            </Button>
            <Button
              variant="default"
              size="xs"
              rightSection={<ChevronRight size={14} />}
              disabled={!later}
              onClick={() => onGo(later)}
            >
              {t('Next change')}
            </Button>
          </>
        )}
        <TextInput
          type="datetime-local"
          size="xs"
          aria-label={t('Moment')}
          value={toLocalTime(at)}
          max={toLocalTime(new Date().toISOString())}
          onChange={({ currentTarget }) => {
            const moment = toMoment(currentTarget.value);
            if (moment) onGo(moment);
          }}
        />
        <Button size="xs" leftSection={<Undo2 size={14} />} onClick={() => onGo(undefined)}>
          {t('Back to now')}
        </Button>
      </Group>
      {children}
    </Alert>
  );
}
