//! What is answered to the messages of a client.

use std::sync::Arc;

use lanescope_core::findings::Rule;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation, JsonObject,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::calls::{Answer, Running};
use crate::resources;
use crate::tools::arguments::{self, Allowed, shown};
use crate::tools::{Effect, Offered, TOOLS, schema};

/// Calls that are carried out at once; others wait.
const AT_ONCE: usize = 4;
/// Calls that are carried out or wait: each keeps its arguments.
const MOST_CALLS: usize = 64;

/// What an agent reads first.
const INSTRUCTIONS: &str = "\
Lanescope shows what GPU drivers and compilers do to the layout of shaders: attribute slots, lanes, register values, \
assembly, work graphs. Begin with `open`; `why` explains one value; `inspect` has the whole report. Paths are relative to \
the workspace root. An answer has `text`, part by part (`offset`), and `result`, the data. Results are computed by models \
that are compared with drivers; they state what is not known. The pages of the manual and the codes of findings are resources.";

/// The server.
pub struct Server {
    tools: Vec<Offered>,
    allowed: Allowed,
    explain: fn(&Rule) -> String,
    waiting: Arc<Semaphore>,
    running: Arc<Semaphore>,
}

impl Server {
    /// A server of these tools. `explain` writes what a finding means.
    pub fn new(tools: Vec<Offered>, allowed: Allowed, explain: fn(&Rule) -> String) -> Server {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Server { tools, allowed, explain, waiting: semaphore(MOST_CALLS), running: semaphore(AT_ONCE) }
    }

    /// Carries out a call.
    async fn call(&self, offered: &Offered, arguments: &JsonObject) -> Result<Answer, String> {
        let too_many = |_| format!("{MOST_CALLS} calls are carried out or wait already");
        let _place = self.waiting.try_acquire().map_err(too_many)?;
        let call = arguments::read(offered, arguments, &self.allowed)?;
        let _turn = self.running.acquire().await.map_err(|error| error.to_string())?;
        let started = Running::start(&call, self.allowed.roots.root());
        started.map_err(|error| format!("the process of the call did not start: {error}"))?.answer().await
    }
}

/// A tool as the protocol describes it.
fn described(offered: &Offered) -> Tool {
    let tool = offered.tool;
    let writes = tool.effect == Effect::Writes;
    let hints = ToolAnnotations::with_title(tool.title).read_only(!writes).destructive(writes).idempotent(!writes);
    Tool::new(tool.name, schema::about(offered), schema::input(offered))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new(schema::output(offered)))
        .with_annotations(hints.open_world(false))
}

/// The result of a call: its text for an agent, and the same as data.
fn result(answer: Result<Answer, String>) -> CallToolResult {
    let answer = match answer {
        Ok(answer) => answer,
        Err(why) => return CallToolResult::error(vec![ContentBlock::text(why)]),
    };
    let mut text = answer.page.text.clone();
    for note in &answer.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    if let Some(next) = answer.page.next_offset {
        text.push_str(&format!("(continues at offset {next} of {} characters)\n", answer.page.total));
    }
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    // Its members are texts, numbers and JSON.
    result.structured_content = serde_json::to_value(&answer).ok().filter(Value::is_object);
    result
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let name = Implementation::new("lanescope", env!("CARGO_PKG_VERSION")).with_title("Lanescope");
        ServerConfig::new(capabilities).with_server_info(name).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.iter().map(described).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let offered = self.tools.iter().find(|offered| offered.tool.name == request.name);
        let offered = offered.ok_or_else(|| {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let message = format!("no tool `{}`: the tools are {}", shown(&request.name), names.join(", "));
            ErrorData::invalid_params(message, None)
        })?;
        let arguments = request.arguments.unwrap_or_default();
        tokio::select! {
            answer = self.call(offered, &arguments) => Ok(result(answer).into()),
            // What is not waited for is dropped, and its process ends.
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list()))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = resources::read(&request.uri, self.explain);
        let contents = contents.map_err(|why| ErrorData::resource_not_found(why, None))?;
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}
