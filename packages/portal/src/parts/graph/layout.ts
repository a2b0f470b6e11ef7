export interface LayoutRequest {
  /** Left to right if absent. */
  readonly direction?: 'LR' | 'TB';
  readonly nodes: readonly { readonly id: string; readonly width: number; readonly height: number }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly labelWidth: number }[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Places of the top left corners, and the bends of each edge in the order they were asked for. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly places: Readonly<Record<string, Point>>;
  readonly routes: readonly (readonly Point[])[];
}
