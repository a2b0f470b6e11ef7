/** One setting of the installation: the settings page and `.env.example` are made from the tables of these. */
export interface Setting {
  readonly name: string;
  readonly default: string;
  readonly description: string;
  readonly isSecret?: true;
}
