import { added, addedBinary, modified, type SampleFile } from '../sampleFile.ts'

export const tileCacheFiles: SampleFile[] = [
  modified(
    'Cargo.lock',
    `
@@ 114
 version = "0.31.0"
 dependencies = [
  "axum",
+ "blake3",
  "prost",
  "rand",
  "sqlx",
@@ 186
 source = "registry+https://github.com/rust-lang/crates.io-index"
 checksum = "812e12b5285cc515a9c72a5c1d3b6d46a19dac5acfef5265968c166106e31dd3"

+[[package]]
+name = "blake3"
+version = "1.8.2"
+source = "registry+https://github.com/rust-lang/crates.io-index"
+checksum = "3888aaa89e4b2a40fca9848e400f6a658a5a3978de7be858e209cafa8be9a4a0"
+
 [[package]]
 name = "block-buffer"
 version = "0.10.4"
`,
  ),
  modified(
    'Cargo.toml',
    `
@@ 8

 [dependencies]
 axum = "0.8"
+blake3 = "1.8"
 prost = "0.14"
 rand = "0.9"
 sqlx = { version = "0.8", features = ["postgres", "runtime-tokio"] }
`,
  ),
  addedBinary('docs/images/tile-store.png'),
  added(
    'docs/tile-store.md',
    `
# The tile store

![A coordinate leads to a hash, and the hash to a file](images/tile-store.png)

A tile lives at \`<store>/ab/cd/<hash>\`, where \`abcd\` are the first digits of its hash. Files are written once and
never changed, so the folder can be copied while the server runs.

## What is not done yet

Nothing removes a file that no coordinate leads to any more. After a change of style that is nearly all of them: empty
the folder and the table together.
`,
  ),
  added(
    'migrations/0019_tiles.sql',
    `
create table tiles (
  zoom smallint not null,
  x integer not null,
  y integer not null,
  style text not null,
  hash bytea not null check (length(hash) = 32),
  rendered_at timestamptz not null default now(),
  primary key (style, zoom, x, y)
);
`,
  ),
  modified(
    'proto/tiles.proto',
    `
@@ 18 message TileRequest {
 message TileReply {
   bytes image = 1;
   string content_type = 2;
+  // BLAKE3 of the image. Tiles of the same content have the same hash.
+  bytes hash = 3;
 }
`,
  ),
  modified(
    'src/generated/tiles.rs',
    `
@@ 27 pub struct TileReply {
     pub image: ::prost::alloc::vec::Vec<u8>,
     #[prost(string, tag = "2")]
     pub content_type: ::prost::alloc::string::String,
+    /// BLAKE3 of the image. Tiles of the same content have the same hash.
+    #[prost(bytes = "vec", tag = "3")]
+    pub hash: ::prost::alloc::vec::Vec<u8>,
 }
`,
  ),
  modified(
    'src/server.rs',
    `
@@ 1
-use axum::http::header::CONTENT_TYPE;
+use axum::http::header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH};
+use axum::http::{HeaderMap, StatusCode};
 use axum::response::{IntoResponse, Response};

 use crate::coordinate::Coordinate;
 use crate::failure::Failure;
 use crate::renderer::Renderer;
+use crate::tiles::store::Store;

 pub struct Server {
     renderer: Renderer,
+    store: Store,
 }

 impl Server {
@@ 42 impl Server {
     }

     /// The image of one tile.
-    async fn tile(&self, at: Coordinate) -> Result<Response, Failure> {
-        let image = self.renderer.render(&at).await?;
-        Ok(([(CONTENT_TYPE, "image/png")], image).into_response())
+    async fn tile(&self, at: Coordinate, headers: &HeaderMap) -> Result<Response, Failure> {
+        let tile = match self.store.find(&at).await? {
+            Some(tile) => tile,
+            None => self.store.keep(&at, self.renderer.render(&at).await?).await?,
+        };
+        let etag = format!("\\"{}\\"", tile.hash.to_hex());
+        if headers.get(IF_NONE_MATCH).is_some_and(|seen| seen.as_bytes() == etag.as_bytes()) {
+            return Ok((StatusCode::NOT_MODIFIED, [(ETAG, etag)]).into_response());
+        }
+        let described = [(CONTENT_TYPE, "image/png".to_owned()), (ETAG, etag)];
+        Ok((described, tile.image).into_response())
     }
 }
`,
  ),
  added(
    'src/tiles/index.rs',
    `
use blake3::Hash;
use sqlx::PgPool;

use crate::{coordinate::Coordinate, failure::Failure};

pub struct Index(pub PgPool);

impl Index {
    pub async fn hash_of(&self, at: &Coordinate) -> Result<Option<Hash>, Failure> {
        let query = "select hash from tiles where style = $1 and zoom = $2 and x = $3 and y = $4";
        let found: Option<[u8; 32]> = sqlx::query_scalar(query)
            .bind(&at.style)
            .bind(at.zoom)
            .bind(at.x)
            .bind(at.y)
            .fetch_optional(&self.0)
            .await?;
        Ok(found.map(Hash::from_bytes))
    }

    pub async fn set(&self, at: &Coordinate, hash: &Hash) -> Result<(), Failure> {
        let query = "insert into tiles (style, zoom, x, y, hash) values ($1, $2, $3, $4, $5)
            on conflict (style, zoom, x, y) do update set hash = excluded.hash, rendered_at = now()";
        sqlx::query(query)
            .bind(&at.style)
            .bind(at.zoom)
            .bind(at.x)
            .bind(at.y)
            .bind(hash.as_bytes())
            .execute(&self.0)
            .await?;
        Ok(())
    }
}
`,
  ),
  modified(
    'src/tiles/mod.rs',
    `
@@ 1
+pub mod index;
 pub mod pyramid;
+pub mod store;
`,
  ),
  added(
    'src/tiles/store.rs',
    `
use std::path::{Path, PathBuf};

use blake3::Hash;
use tokio::fs;

use crate::{coordinate::Coordinate, failure::Failure, tiles::index::Index};

pub struct Tile {
    pub hash: Hash,
    pub image: Vec<u8>,
}

pub struct Store {
    folder: PathBuf,
    index: Index,
}

impl Store {
    pub async fn find(&self, at: &Coordinate) -> Result<Option<Tile>, Failure> {
        let Some(hash) = self.index.hash_of(at).await? else { return Ok(None) };
        // Somebody may have emptied the folder: then the tile is rendered again.
        Ok(fs::read(self.path(&hash)).await.ok().map(|image| Tile { hash, image }))
    }

    pub async fn keep(&self, at: &Coordinate, image: Vec<u8>) -> Result<Tile, Failure> {
        let hash = blake3::hash(&image);
        let path = self.path(&hash);
        if !fs::try_exists(&path).await? {
            write_whole(&path, &image).await?;
        }
        self.index.set(at, &hash).await?;
        Ok(Tile { hash, image })
    }

    fn path(&self, hash: &Hash) -> PathBuf {
        let name = hash.to_hex();
        self.folder.join(&name[..2]).join(&name[2..4]).join(name.as_str())
    }
}

/// A reader sees the whole file or none: it gets its name once it is complete.
async fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).await?;
    }
    let partial = path.with_extension(format!("{:016x}", rand::random::<u64>()));
    fs::write(&partial, bytes).await?;
    fs::rename(&partial, path).await
}
`,
  ),
  added(
    'tests/store.rs',
    `
use atlas::testing::{ocean, store};

#[tokio::test]
async fn equal_tiles_share_a_file() {
    let (store, folder) = store().await;
    let one = store.keep(&ocean(12, 100, 900), vec![7; 64]).await.unwrap();
    let other = store.keep(&ocean(12, 101, 900), vec![7; 64]).await.unwrap();
    assert_eq!(one.hash, other.hash);
    assert_eq!(folder.files().len(), 1);
}

#[tokio::test]
async fn a_tile_whose_file_is_gone_is_not_found() {
    let (store, folder) = store().await;
    store.keep(&ocean(12, 100, 900), vec![7; 64]).await.unwrap();
    folder.empty();
    assert!(store.find(&ocean(12, 100, 900)).await.unwrap().is_none());
}
`,
  ),
]
