import { portalTexts } from '../lib/portal-texts.ts';
import type { GeneratedFile } from './generated-file.ts';

/** Every text of the portal in English: what a catalogue of another language has to hold. */
export function portalTextsFile(): readonly GeneratedFile[] {
  const sorted = [...portalTexts().texts].sort(([left], [right]) => (left < right ? -1 : 1));
  return [
    { path: 'packages/portal/src/languages/en.json', text: `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n` },
  ];
}
