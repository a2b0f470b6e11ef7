import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { safeLink } from './safe-link.ts';

/** A link written by people or models: text only if unsafe; other sites open in a new tab. */
export function WrittenLink({ href, children }: { href?: unknown; children?: ReactNode }) {
  const address = safeLink(typeof href === 'string' ? href : undefined);
  if (!address) return <span>{children}</span>;
  const isElsewhere = /^https?:/.test(address);
  return (
    <Anchor href={address} {...(isElsewhere ? { target: '_blank', rel: 'noopener noreferrer' } : {})}>
      {children}
    </Anchor>
  );
}
