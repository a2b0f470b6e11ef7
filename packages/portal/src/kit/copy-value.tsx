import { ActionIcon, CopyButton } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { Tooltip } from './tooltip.tsx';
import { t } from './translate.ts';

/** Copies a value; `what` names it for assistive technology. */
export function CopyValue({ value, what }: { value: string; what: string }) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('Copied') : t('Copy {what}', { what })}>
          <ActionIcon size="sm" onClick={copy} aria-label={copied ? t('Copied') : t('Copy {what}', { what })}>
            {copied ? <Check size={14} /> : <Copy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
