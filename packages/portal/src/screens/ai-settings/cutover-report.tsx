import { Table, Text } from '@mantine/core';
import { AnchorLink } from '../../frame/links.tsx';
import { Block } from '../../kit/block.tsx';
import { DiffView } from '../../kit/diff-view.tsx';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import type { Cutover } from './cutover.types.ts';

/** Recent use of old forms, the effect on agents, and the behaviour of each endpoint. */
export function CutoverReport({ cutover }: { cutover: Cutover }) {
  return (
    <>
      <Blockers blockers={cutover.blockers} />
      <Agents agents={cutover.agents} />
      <Endpoints endpoints={cutover.endpoints} />
      {cutover.steps.length > 0 && <Steps steps={cutover.steps} />}
    </>
  );
}

function Blockers({ blockers }: { blockers: Cutover['blockers'] }) {
  return (
    <Block title={t('Still in an old form')}>
      {blockers.length === 0 ? (
        <Text c="dimmed">{t('Nothing is: no caller of the last weeks, no automation, no widget.')}</Text>
      ) : (
        <ul className={surfaces.list} aria-label={t('What still uses old forms')}>
          {blockers.map((blocker) => (
            <li key={`${blocker.kind} ${blocker.subject} ${blocker.message}`} className={surfaces.item}>
              <div style={{ minWidth: 0 }}>
                <Subject {...blocker} />
                <div className={surfaces.detail} dir="auto">
                  {blocker.message}
                  {blocker.calls !== undefined &&
                    ` ${t('· {calls} calls', { calls: blocker.calls.toLocaleString(locale) })}`}
                  {blocker.lastAt && (
                    <Sentence text=", last <time/>" parts={{ time: <RelativeTime at={blocker.lastAt} /> }} />
                  )}
                </div>
              </div>
              <ColourBadge colour="gold">{kinds[blocker.kind]}</ColourBadge>
            </li>
          ))}
        </ul>
      )}
    </Block>
  );
}

const kinds = { caller: t('Caller'), automation: t('Automation'), widget: t('Widget') } as const;

function Subject({ kind, subject }: Cutover['blockers'][number]) {
  if (kind !== 'widget') return <code>{subject}</code>;
  return (
    <AnchorLink to="/catalog/$page" params={{ page: subject }}>
      {subject}
    </AnchorLink>
  );
}

const states = {
  current: { word: t('Up to date'), colour: 'green' },
  behind: { word: t('Is brought over'), colour: 'blue' },
  blocked: { word: t('Needs a person'), colour: 'red' },
} as const;

function Agents({ agents }: { agents: Cutover['agents'] }) {
  return (
    <Block title={t('Agents')}>
      {agents.length === 0 ? (
        <Text c="dimmed">{t('There is no agent.')}</Text>
      ) : (
        <ul className={surfaces.list} aria-label={t('Agents and what becomes of them')}>
          {agents.map(({ identifier, state, changes, findings }) => (
            <li key={identifier} className={surfaces.item}>
              <div style={{ minWidth: 0 }}>
                <EntityAnchor blueprint="_ai_agent" identifier={identifier} />
                {findings.map(({ code, path, message }) => (
                  <div key={`${code} ${path}`} className={surfaces.detail}>
                    <code>{path}</code> {message}
                  </div>
                ))}
                {Object.keys(changes).length > 0 && <DiffView before={{}} after={changes} />}
              </div>
              <ColourBadge colour={states[state].colour}>{states[state].word}</ColourBadge>
            </li>
          ))}
        </ul>
      )}
    </Block>
  );
}

const addresses = {
  assistant: 'POST /v1/ai/invoke',
  agent: 'POST /agent/{agent}/invoke',
  router: 'POST /agent/invoke',
};
const answers = {
  stream: { word: t('Streams'), colour: 'green' },
  identifier: { word: t('Answers an identifier'), colour: 'gold' },
  endpoint_removed: { word: t('Gone (410)'), colour: 'red' },
  ai_not_enabled: { word: t('Not there yet'), colour: 'darkGray' },
} as const;

function Endpoints({ endpoints }: { endpoints: Cutover['endpoints'] }) {
  const asked = endpoints.filter(({ stream, useMcp }) => stream === useMcp && stream !== false);
  return (
    <Block title={t('How each address answers')}>
      <ScrolledTable label={t('How each address answers')} minWidth={420}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Address')}</Table.Th>
            <Table.Th>{t('Asked plainly')}</Table.Th>
            <Table.Th>{t('With stream and use_mcp')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {(['assistant', 'agent', 'router'] as const).map((endpoint) => (
            <Table.Tr key={endpoint}>
              <Table.Th scope="row" fw={400}>
                <code>{addresses[endpoint]}</code>
              </Table.Th>
              {[null, true].map((form) => {
                const found = asked.find((each) => each.endpoint === endpoint && each.stream === form);
                const { word, colour } = answers[found?.answer ?? 'ai_not_enabled'];
                return (
                  <Table.Td key={String(form)}>
                    <ColourBadge colour={colour}>{word}</ColourBadge>
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrolledTable>
    </Block>
  );
}

function Steps({ steps }: { steps: Cutover['steps'] }) {
  return (
    <Block title={t('What was done')}>
      <ul className={surfaces.list} aria-label={t('Steps of the cutover')}>
        {steps.map(({ at, kind, subject, details }) => (
          <li key={`${at} ${kind} ${subject}`} className={surfaces.item}>
            <div style={{ minWidth: 0 }}>
              {kind} <code>{subject}</code>
              {Object.keys(details).length > 0 && <DiffView before={{}} after={details} />}
            </div>
            <span className={surfaces.detail}>
              <RelativeTime at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Block>
  );
}
