import { Button } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { lastWriteAt } from '../api/api.ts';
import { onLive } from '../api/live.ts';
import classes from './kit.module.css';
import { t } from './translate.ts';

/** News this soon after a change from this page is taken to be that change: rows refresh without a notice. */
const ownMs = 3_000;

/**
 * Announces that rows have changed since `readAt`, and refreshes them only on request: rows never move under the
 * cursor.
 */
export function LiveNotice({ blueprint, readAt, onShow }: { blueprint: string; readAt: number; onShow: () => void }) {
  const [changed, setChanged] = useState<{ readonly ids: ReadonlySet<string>; readonly isMany: boolean }>(nothing);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was read anew has every change in it
  useEffect(() => setChanged(nothing), [blueprint, readAt]);
  useEffect(
    () =>
      onLive((news, isCatchUp) => {
        const mine = news?.filter((change) => change.resource === 'entity' && change.blueprint === blueprint);
        if (mine?.length === 0) return;
        // nobody has read far in the second before the stream opens
        if (isCatchUp || (mine && Date.now() - lastWriteAt() < ownMs)) return onShow();
        setChanged(({ ids, isMany }) => ({
          ids: new Set([...ids, ...(mine ?? []).flatMap(({ entity }) => entity ?? [])]),
          isMany: isMany || (mine ?? [{ entity: undefined }]).some(({ entity }) => entity === undefined),
        }));
      }),
    [blueprint, onShow],
  );
  const isShown = changed.isMany || changed.ids.size > 0;
  const count = changed.isMany ? t('Many') : changed.ids.size;
  return (
    <div role="status">
      {isShown && (
        <div className={classes.liveNotice}>
          {t('{count} {word} changed since this was read.', {
            count,
            word: changed.ids.size === 1 && !changed.isMany ? t('row has') : t('rows have'),
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

const nothing = { ids: new Set<string>(), isMany: false };
