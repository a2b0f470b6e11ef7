import { Title } from '@mantine/core';
import { useRead } from '../../../api/query.ts';
import { AnchorLink } from '../../../frame/links.tsx';
import { RelativeTime } from '../../../kit/relative-time.tsx';
import { Reading } from '../../../kit/states.tsx';
import surfaces from '../../../kit/surfaces.module.css';
import { plural, t } from '../../../kit/translate.ts';
import { ColourBadge } from '../../../parts/badges.tsx';
import { ownSourceAddress } from '../addresses.ts';
import { type OwnSource, stateWords } from './own-source.ts';

/** Sources that Portolan reads itself, and files that somebody uploads again; nothing while there is none. */
export function OwnSourceList() {
  const reading = useRead('listSources', {}, { everyMs: 15_000 });
  if (reading.data?.sources.length === 0) return null;
  return (
    <section aria-labelledby="own-sources">
      <Title order={2} mb="sm" id="own-sources">
        {t('Read by Portolan')}
      </Title>
      <Reading of={reading}>
        {({ sources }) => (
          <ul className={surfaces.list}>
            {sources.map((source) => (
              <Item key={source.identifier} source={source} />
            ))}
          </ul>
        )}
      </Reading>
    </section>
  );
}

function Item({ source }: { source: OwnSource }) {
  const { identifier, type, title, state, problem, entities, lastSync } = source;
  const count = Object.values(entities).reduce((sum, each) => sum + each, 0);
  const isFile = type === 'file';
  const address = isFile
    ? ({ to: uploadAddress(source), search: { source: identifier } } as const)
    : ownSourceAddress(identifier);
  return (
    <li className={surfaces.item}>
      <div>
        <AnchorLink {...address} fw={600} dir="auto">
          {title}
        </AnchorLink>{' '}
        <code>{identifier}</code>
        <div className={surfaces.detail}>
          {plural(count, '{count} entity', '{count} entities')}
          {lastSync && (
            <>
              {' '}
              · {isFile ? t('uploaded') : t('read')} <RelativeTime at={lastSync.endedAt ?? lastSync.startedAt} />
            </>
          )}
          {problem && <div>{problem.message}</div>}
        </div>
      </div>
      {!isFile && <ColourBadge colour={stateWords[state][1]}>{stateWords[state][0]}</ColourBadge>}
    </li>
  );
}

/** Where a newer file of a source is uploaded. */
function uploadAddress({ settings }: OwnSource) {
  return settings['format'] === 'backstage' ? '/imports/backstage' : '/imports/new';
}
