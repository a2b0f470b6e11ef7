import { Button } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { lastWriteAt } from '../api/api.ts';
import { heardSince, useHeard } from '../api/heard-changes.ts';
import { onLive } from '../api/live.ts';
import classes from './kit.module.css';
import { t } from './translate.ts';

/** News this soon after a change from this page is taken to be that change: rows refresh without a notice. */
const ownMs = 3_000;

interface LiveNoticeProps {
  readonly blueprint: string;
  /** What had been heard when the read of the rows began: what changed since may be missing in them. */
  readonly begun: number;
  readonly isReading: boolean;
  readonly onShow: () => void;
}

/**
 * Announces that rows have changed since they were read, on or off the screen, and refreshes them only on request: rows
 * never move under the cursor.
 */
export function LiveNotice({ blueprint, begun, isReading, onShow }: LiveNoticeProps) {
  useHeard();
  useEffect(
    () =>
      onLive((news, isCatchUp) => {
        const isMine = news?.some((change) => change.resource === 'entity' && change.blueprint === blueprint);
        if (isMine === false) return;
        // nobody has read far in the second before the stream opens
        if (isCatchUp || (isMine && Date.now() - lastWriteAt() < ownMs)) onShow();
      }),
    [blueprint, onShow],
  );
  const { rows, isMany } = heardSince(blueprint, begun);
  const isShown = !isReading && (isMany || rows > 0);
  const count = isMany ? t('Many') : rows;
  return (
    <div role="status">
      {isShown && (
        <div className={classes.liveNotice}>
          {t('{count} {word} changed since this was read.', {
            count,
            word: rows === 1 && !isMany ? t('row has') : t('rows have'),
          })}
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<RefreshCw size={14} aria-hidden="true" />}
            onClick={onShow}
          >
            {t('Show')}
          </Button>
        </div>
      )}
    </div>
  );
}
