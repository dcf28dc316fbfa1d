import pg from 'pg'

export const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })

export interface BareAnswer {
  status: number
  body: string | Buffer
}

export type BareHandler = (token: string, path: string[]) => Promise<BareAnswer>
