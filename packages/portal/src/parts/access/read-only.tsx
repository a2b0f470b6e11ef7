import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { ReadingOnly } from '../../kit/reading-only.ts';
import { t } from '../../kit/translate.ts';
import classes from './access.module.css';
import { useAskForAccess } from './ask-for-access.tsx';
import type { Permit } from './permit.ts';

/** A form or editor that people without the right may read: its controls are off, and a notice says what they need. */
export function ReadOnly({
  permit,
  to,
  children,
}: {
  /** What the server says; undefined while it has not said anything. */
  readonly permit: Permit | undefined;
  /** What is done here, after "to": "change the blueprint Service". */
  readonly to: string;
  readonly children: ReactNode;
}) {
  const ask = useAskForAccess();
  const isRefused = permit !== undefined && !permit.isAllowed;
  return (
    <>
      {isRefused && (
        <Alert color="yellow" title={t('You can look at this, but not change it')} mb="md">
          <Group gap="sm">
            <span>{t('To {to}, you need: {needs}.', { to, needs: permit.needs })}</span>
            <Button size="compact-sm" variant="default" onClick={() => ask({ to, needs: permit.needs })}>
              {t('Ask for access')}
            </Button>
          </Group>
        </Alert>
      )}
      <fieldset disabled={!permit?.isAllowed} aria-busy={permit === undefined} className={classes.readOnly}>
        <ReadingOnly value={!permit?.isAllowed}>{children}</ReadingOnly>
      </fieldset>
    </>
  );
}
