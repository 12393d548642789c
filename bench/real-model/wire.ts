/** What a `/chat/completions` request holds of a tool. */
export interface WireTool {
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: WireSchema;
  };
}

/** JSON Schema as far as it is shown to the model or held against what it writes. */
export interface WireSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: WireSchema;
  readonly properties?: Readonly<Record<string, WireSchema>>;
  readonly required?: readonly string[];
}

export interface WireMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

export interface WireRequest {
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly WireTool[];
  readonly max_tokens?: number;
}
