import { Anchor, Button } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Markdown } from '../../kit/markdown.tsx';
import { safeLink } from '../../kit/safe-link.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { EntityIcon } from '../entity-icon.tsx';
import { type WidgetProps, widgetList, widgetText } from './widget-shape.ts';
import classes from './widgets.module.css';

/** Markdown by people, or a text property of an entity. */
export function MarkdownWidget(props: WidgetProps) {
  const { widget } = props;
  if (widgetText(widget, 'source') === 'property') return <OfProperty {...props} />;
  return <Markdown text={widgetText(widget, 'markdown') ?? ''} />;
}

function OfProperty({ widget, context }: WidgetProps) {
  const blueprint = widgetText(widget, 'blueprintIdentifier') ?? context.entity?.blueprint ?? '';
  const entity = widgetText(widget, 'entityIdentifier') ?? context.entity?.identifier ?? '';
  const read = useRead(
    'getEntity',
    { params: { blueprint_identifier: blueprint, entity_identifier: entity } },
    { isOn: blueprint !== '' && entity !== '' },
  );
  if (!blueprint || !entity)
    return <p className={classes.calm}>{t('Choose an entity in the settings of this widget.')}</p>;
  return (
    <Reading of={read}>
      {({ entity: { properties } }) => {
        const value = properties?.[widgetText(widget, 'propertyIdentifier') ?? ''];
        return typeof value === 'string' ? (
          <Markdown text={value} />
        ) : (
          <p className={classes.calm}>{t('The property is empty.')}</p>
        );
      }}
    </Reading>
  );
}

export function LinksWidget({ widget }: WidgetProps) {
  return (
    <ul className={classes.list}>
      {widgetList(widget, 'links').map((link, index) => {
        const address = safeLink(widgetText(link, 'url'));
        const title = widgetText(link, 'title') ?? widgetText(link, 'url') ?? t('Link');
        const isElsewhere = address !== undefined && /^https?:/.test(address);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: links may repeat
          <li key={index} title={widgetText(link, 'description')}>
            {address ? (
              <Anchor href={address} {...(isElsewhere ? { target: '_blank', rel: 'noopener noreferrer' } : {})}>
                <EntityIcon name={widgetText(link, 'icon')} /> {title}{' '}
                {isElsewhere && <ExternalLink size={12} aria-hidden="true" />}
              </Anchor>
            ) : (
              <span>{title}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/**
 * An external page in a sandbox: it has its own origin and cannot open anything over the portal. It loads only on
 * request, because its host learns who looks (decision 0046); protected pages open in a new tab.
 */
export function IframeWidget({ widget, context }: WidgetProps) {
  const [isShown, setShown] = useState(false);
  const address = safeLink(widgetText(widget, 'url'));
  const title = widgetText(widget, 'title') ?? t('Embedded page');
  if (!address || !/^https?:/.test(address))
    return <p className={classes.calm}>{t('Enter a web address in the settings of this widget.')}</p>;
  const url = new URL(address);
  if (context.entity) {
    url.searchParams.set('entity', context.entity.identifier);
    url.searchParams.set('blueprint', context.entity.blueprint);
  }
  const mayEmbed =
    widgetText(widget, 'urlType') !== 'protected' && url.protocol === 'https:' && url.origin !== location.origin;
  return (
    <>
      {mayEmbed && !isShown && (
        <p>
          <Button variant="default" size="xs" onClick={() => setShown(true)}>
            {t('Show {host} here', { host: url.host })}
          </Button>
        </p>
      )}
      {mayEmbed && isShown && (
        <iframe
          className={classes.iframe}
          src={url.href}
          title={title}
          sandbox="allow-scripts allow-forms allow-same-origin allow-popups"
          referrerPolicy="no-referrer"
          loading="lazy"
        />
      )}
      <Anchor href={url.href} target="_blank" rel="noopener noreferrer" size="sm" mt="xs">
        {t('Open {host}', { host: url.host })} <ExternalLink size={12} aria-hidden="true" />
      </Anchor>
    </>
  );
}
