import type { ReactNode } from 'react';

export interface MappingEditorProps {
  /** The mappings of a webhook or the configuration of an integration. */
  readonly value: unknown;
  /** Label, such as "Mappings". */
  readonly label: string;
  /** Called while the text can be parsed. */
  readonly onChange: (value: unknown) => void;
  /** Whether the text can be parsed; unparsable text cannot be saved. */
  readonly onReadable: (isReadable: boolean) => void;
  readonly holds: 'mappings of a webhook' | 'configuration of an integration';
  /** For an integration: the kind of resource to try. */
  readonly kind?: string | undefined;
  /** Control that chooses the sample. */
  readonly picker: ReactNode;
  /** The sample to try the mappings on; undefined if there is none yet. */
  readonly sample: unknown;
  /** How to get a sample. */
  readonly withoutSample: string;
}
