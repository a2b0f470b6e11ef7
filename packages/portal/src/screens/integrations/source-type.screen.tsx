import { Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { Block } from '../../kit/block.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { sourcePermit, useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { ColourBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ownSourceAddress } from './addresses.ts';
import { InstallForm } from './install-form.tsx';
import { InstallProgress } from './install-progress.tsx';
import type { SourceType } from './install-settings.ts';
import { OwnSourceForm } from './own-sources/own-source-form.tsx';

/** One type of source: what it brings, and its installation step by step. */
export function Screen() {
  const type = useParam('type');
  const reading = useRead('getSourceType', { params: { source_type: type } });
  const [install, setInstall] = useUrlState('/builder/sources/add/$type', 'install');
  // in memory alone: the secret is shown once and lost with a reload
  const [secret, setSecret] = useState<string>();
  return (
    <Reading of={reading} isScreen>
      {({ sourceType, allowed }) => (
        <Stack gap="lg" maw={760}>
          <PageHeader
            title={sourceType.title}
            trail={[
              { to: '/builder/sources', label: t('Data sources') },
              { to: '/builder/sources/add', label: t('Add a source') },
            ]}
            description={sourceType.summary}
          />
          {install === undefined ? (
            <>
              <Brings sourceType={sourceType} />
              <Begin
                sourceType={sourceType}
                allowed={allowed}
                onInstalled={(id, made) => {
                  setSecret(made);
                  setInstall(id, { isStep: true });
                }}
              />
            </>
          ) : (
            <InstallProgress id={install} secret={secret} onSecret={setSecret} />
          )}
        </Stack>
      )}
    </Reading>
  );
}

function Brings({ sourceType: { needs, blueprints, kinds } }: { sourceType: SourceType }) {
  const own = useRead('listBlueprints').data?.blueprints ?? [];
  const isThere = (name: string) => own.some(({ identifier }) => identifier === name);
  return (
    <Block title={t('Blueprints and entities')}>
      <Stack gap="xs">
        {needs && <Text>{t('What you need: {needs}', { needs })}</Text>}
        {kinds.length > 0 && <Text c="dimmed">{t('Reads: {kinds}', { kinds: kinds.join(', ') })}</Text>}
        {blueprints.length > 0 && (
          <ul aria-label={t('Blueprints')}>
            {blueprints.map((name) => (
              <li key={name}>
                <code>{name}</code> {isThere(name) && <ColourBadge colour="lightGray">{t('You have it')}</ColourBadge>}
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </Block>
  );
}

function Begin({
  sourceType,
  allowed,
  onInstalled,
}: {
  sourceType: SourceType;
  allowed: AnswerOf<'getSourceType'>['allowed'];
  onInstalled: (install: string, secret: string) => void;
}) {
  const navigate = useNavigate();
  const mayInstall = useMay('createInstall');
  if (sourceType.way === 'install') {
    return (
      <ReadOnly permit={mayInstall} to={t('add {title}', { title: sourceType.title })}>
        <InstallForm sourceType={sourceType} onInstalled={onInstalled} />
      </ReadOnly>
    );
  }
  if (sourceType.way === 'webhook') {
    return (
      <NeedsOperation operation="createWebhook" to={t('create webhooks')}>
        <ButtonLink to="/builder/sources/new-webhook">{t('New webhook')}</ButtonLink>
      </NeedsOperation>
    );
  }
  if (sourceType.type === 'file') return <ButtonLink to="/imports/new">{t('Choose a file')}</ButtonLink>;
  if (sourceType.way === 'guide') {
    return (
      <Block title={t('How to go on')}>
        <Text mb="sm">
          <Sentence
            text="Your program writes with credentials of the organization. The guide <code/> shows the calls."
            parts={{ code: <code>{sourceType.guide}</code> }}
          />
        </Text>
        <ButtonLink to="/me/credentials">{t('Make credentials')}</ButtonLink>
      </Block>
    );
  }
  // its rows are read by the browser of whoever uploads it
  if (sourceType.type === 'file') return <ButtonLink to="/imports/new">{t('Choose a file or paste')}</ButtonLink>;
  return (
    <>
      {sourceType.type === 'backstage' && (
        <Text mb="sm">
          <Sentence
            text="No Backstage runs any more, or not where this server reaches it? <link>Upload its files</link>."
            parts={{ link: <AnchorLink to="/imports/backstage" /> }}
          />
        </Text>
      )}
      <ReadOnly permit={sourcePermit(allowed.create)} to={t('add {title}', { title: sourceType.title })}>
        <OwnSourceForm sourceType={sourceType} onSaved={(identifier) => void navigate(ownSourceAddress(identifier))} />
      </ReadOnly>
    </>
  );
}
