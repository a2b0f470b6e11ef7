import type { ReactNode } from 'react';

export interface MappingEditorProps {
  /** What is edited: the mappings of a webhook, the configuration of an integration. */
  readonly value: unknown;
  /** What it is called, such as "Mappings". */
  readonly label: string;
  /** Told while the text can be read. */
  readonly onChange: (value: unknown) => void;
  /** Told whether the text can be read; what cannot is not saved. */
  readonly onReadable: (isReadable: boolean) => void;
  readonly holds: 'mappings of a webhook' | 'configuration of an integration';
  /** Of an integration: of its resources those of this kind are tried. */
  readonly kind?: string | undefined;
  /** How a sample is chosen. */
  readonly picker: ReactNode;
  /** What the mappings are tried on; undefined where there is none yet. */
  readonly sample: unknown;
  /** What to do to get one. */
  readonly withoutSample: string;
}
