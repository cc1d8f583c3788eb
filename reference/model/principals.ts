/** An agent of one workspace; `humanUserId` and `machineId` are the principals it acts for, when it has them. */
export interface Agent {
  readonly id: string;
  readonly workspaceId: string;
  readonly displayName: string;
  readonly humanUserId: string | null;
  readonly machineId: string | null;
  /** False once the agent's membership of its workspace was taken away. */
  readonly hasAccess: boolean;
}

/** A person; `displayName` is null where the identity provider knows none. */
export interface Human {
  readonly id: string;
  readonly displayName: string | null;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** The profile of one machine in one workspace, logged in by one person. */
export interface Machine {
  readonly id: string;
  readonly workspaceId: string;
  readonly humanUserId: string;
  readonly displayName: string;
  readonly isActive: boolean;
}

/** What a bearer token stands for: an agent (token or API key) or a machine profile, never both. */
export interface Credential {
  readonly token: string;
  readonly kind: 'agent' | 'api_key' | 'machine';
  readonly agentId: string | null;
  readonly machineId: string | null;
  /** Milliseconds since the epoch; null means that it never expires. */
  readonly expiresAtMs: number | null;
  readonly isRevoked: boolean;
}
