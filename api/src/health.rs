//! Whether the server can do its work.

use async_trait::async_trait;

/// Something that the server cannot work without.
#[async_trait]
pub trait Dependency: Send + Sync {
    /// Tries it. The error says what is wrong, for the log.
    async fn check(&self) -> Result<(), String>;
}

/// All that the server cannot work without.
#[derive(Default)]
pub struct Dependencies(pub Vec<Box<dyn Dependency>>);

impl Dependencies {
    /// Tries one after the other, up to the first that fails.
    pub async fn check(&self) -> Result<(), String> {
        for dependency in &self.0 {
            dependency.check().await?;
        }
        Ok(())
    }
}
