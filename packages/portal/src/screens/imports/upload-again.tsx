import type { Source } from '@portolan/contract/sources';
import type { ReactNode } from 'react';
import { useRead } from '../../api/query.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { sourcePermit } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';

/** An import whose source is there already; whoever may not change the source may only look. */
export function UploadAgain({ identifier, children }: { identifier: string; children: (source: Source) => ReactNode }) {
  const reading = useRead('getSource', { params: { source_identifier: identifier } });
  return (
    <Reading of={reading} isScreen>
      {({ source }) => (
        <ReadOnly permit={sourcePermit(source.allowed.write)} to={t('upload {title} again', { title: source.title })}>
          {children(source)}
        </ReadOnly>
      )}
    </Reading>
  );
}
