import { type Kysely, sql } from 'kysely'

/**
 * Takes the lead from the text whenever the text is replaced. Nodes of the previous version replace a text without its
 * lead: the lead of the former text, which may even have been private, would stay.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function take_lead() returns trigger language plpgsql as $$
    begin
      new.lead := new.content::json #>> '{lead,text}';
      return new;
    end $$`.execute(db)
  await sql`
    create trigger take_lead before update of content on article_texts for each row
    when (old.content <> new.content)
    execute function take_lead()`.execute(db)
  await sql`
    update article_texts set lead = content::json #>> '{lead,text}'
    where lead is not null and lead is distinct from content::json #>> '{lead,text}'`.execute(db)
}
