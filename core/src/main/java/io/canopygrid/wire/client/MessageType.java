package io.canopygrid.wire.client;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The byte of each message's type, and its codec. Messages of a server have the highest bit. */
@SuppressWarnings("ImmutableEnumChecker") // its functions keep no state
enum MessageType {
  PING(0x01, ClientMessage.Ping.class, ConnectionCodec::write, ConnectionCodec::readPing),
  PONG(0x02, ClientMessage.Pong.class, ConnectionCodec::write, ConnectionCodec::readPong),
  GOODBYE(0x03, ClientMessage.Goodbye.class, ConnectionCodec::write, ConnectionCodec::readGoodbye),
  HELLO(0x08, Request.Hello.class, ConnectionCodec::write, ConnectionCodec::readHello),
  AUTHENTICATE(
      0x09, Request.Authenticate.class, ConnectionCodec::write, ConnectionCodec::readAuthenticate),
  OPEN_INDEX(0x10, Request.OpenIndex.class, CatalogCodec::write, CatalogCodec::readOpenIndex),
  LIST_INDEXES(0x11, Request.ListIndexes.class, (out, m) -> {}, in -> new Request.ListIndexes()),
  TAKE_SNAPSHOT(
      0x12, Request.TakeSnapshot.class, CatalogCodec::write, CatalogCodec::readTakeSnapshot),
  LIST_SNAPSHOTS(
      0x13, Request.ListSnapshots.class, (out, m) -> {}, in -> new Request.ListSnapshots()),
  DROP_SNAPSHOT(
      0x14, Request.DropSnapshot.class, CatalogCodec::write, CatalogCodec::readDropSnapshot),
  ASK_STATS(0x15, Request.AskStats.class, (out, m) -> {}, in -> new Request.AskStats()),
  ASK_CLUSTER(0x16, Request.AskCluster.class, (out, m) -> {}, in -> new Request.AskCluster()),
  ASK_ROUTES(0x17, Request.AskRoutes.class, RequestCodec::write, RequestCodec::readAskRoutes),
  LOOK_UP(0x18, Request.LookUp.class, RequestCodec::write, RequestCodec::readLookUp),
  PUT_USER(0x19, Request.PutUser.class, UserCodec::write, UserCodec::readPutUser),
  REMOVE_USER(0x1A, Request.RemoveUser.class, UserCodec::write, UserCodec::readRemoveUser),
  LIST_USERS(0x1B, Request.ListUsers.class, (out, m) -> {}, in -> new Request.ListUsers()),
  FIND_DROPPED(0x1E, Request.FindDropped.class, CatalogCodec::write, CatalogCodec::readFindDropped),
  DROP(0x1F, Request.Drop.class, CatalogCodec::write, CatalogCodec::readDrop),
  ASK_STATUS(0x1D, Request.AskStatus.class, (out, m) -> {}, in -> new Request.AskStatus()),
  ASK_DISKS(0x34, Request.AskDisks.class, (out, m) -> {}, in -> new Request.AskDisks()),
  ASK_ZONES(0x3C, Request.AskZones.class, (out, m) -> {}, in -> new Request.AskZones()),
  ASK_HOT_ENTRIES(
      0x3D, Request.AskHotEntries.class, WorkCodec::write, WorkCodec::readAskHotEntries),
  ASK_WORK(0x3E, Request.AskWork.class, (out, m) -> {}, in -> new Request.AskWork()),
  LEAVE(0x35, Request.Leave.class, CatalogCodec::write, CatalogCodec::readLeave),
  EXECUTE(0x1C, Request.Execute.class, FunctionCodec::write, FunctionCodec::readExecute),
  GET(0x20, Request.Get.class, RequestCodec::write, RequestCodec::readGet),
  SCAN(0x21, Request.Scan.class, RequestCodec::write, RequestCodec::readScan),
  MORE(0x22, Request.More.class, RequestCodec::write, RequestCodec::readMore),
  CLOSE_CURSOR(0x23, Request.CloseCursor.class, (out, m) -> {}, in -> new Request.CloseCursor()),
  COUNT_RANGE(0x24, Request.CountRange.class, RequestCodec::write, RequestCodec::readCountRange),
  REMOVE_RANGE(0x25, Request.RemoveRange.class, RequestCodec::write, RequestCodec::readRemoveRange),
  STAGE(0x26, Request.Stage.class, RequestCodec::write, RequestCodec::readStage),
  COMMIT(0x27, Request.Commit.class, RequestCodec::write, RequestCodec::readCommit),
  END(0x28, Request.End.class, RequestCodec::write, RequestCodec::readEnd),
  GET_DEFINITIONS(
      0x29, Request.GetDefinitions.class, RequestCodec::write, RequestCodec::readGetDefinitions),
  ASK_SUBTREES(
      0x30, Request.AskSubtrees.class, StructureCodec::write, StructureCodec::readAskSubtrees),
  ASK_CHANGES(
      0x31, Request.AskChanges.class, StructureCodec::write, StructureCodec::readAskChanges),
  ASK_CUT_OFF(0x32, Request.AskCutOff.class, StructureCodec::write, StructureCodec::readAskCutOff),
  RESHAPE(0x33, Request.Reshape.class, StructureCodec::write, StructureCodec::readReshape),
  READ_CHANGES(0x36, Request.ReadChanges.class, FeedCodec::write, FeedCodec::readReadChanges),
  CLOSE_FEED(0x37, Request.CloseFeed.class, FeedCodec::write, FeedCodec::readCloseFeed),
  MAKE_CLONE(0x38, Request.MakeClone.class, CloneCodec::write, CloneCodec::readMakeClone),
  LIST_CLONES(0x39, Request.ListClones.class, (out, m) -> {}, in -> new Request.ListClones()),
  LIST_PREPARED(0x3F, Request.ListPrepared.class, (out, m) -> {}, in -> new Request.ListPrepared()),
  RESOLVE_PREPARED(
      0x40, Request.ResolvePrepared.class, PreparedCodec::write, PreparedCodec::readResolve),
  FLATTEN_CLONE(0x3A, Request.FlattenClone.class, CloneCodec::write, CloneCodec::readFlattenClone),
  WELCOME(0x88, Reply.Welcome.class, ConnectionCodec::write, ConnectionCodec::readWelcome),
  CHALLENGE(0x89, Reply.Challenge.class, ConnectionCodec::write, ConnectionCodec::readChallenge),
  DRAIN(0x8A, Reply.Drain.class, ConnectionCodec::write, ConnectionCodec::readDrain),
  INDEX_OPENED(0x90, Reply.IndexOpened.class, CatalogCodec::write, CatalogCodec::readIndexOpened),
  INDEXES(0x91, Reply.Indexes.class, CatalogCodec::write, CatalogCodec::readIndexes),
  SNAPSHOTS(0x92, Reply.Snapshots.class, CatalogCodec::write, CatalogCodec::readSnapshots),
  STATS(0x95, Reply.Stats.class, CatalogCodec::write, CatalogCodec::readStats),
  CLUSTER(0x96, Reply.Cluster.class, CatalogCodec::write, CatalogCodec::readCluster),
  ROUTES(0x97, Reply.Routes.class, CatalogCodec::write, CatalogCodec::readRoutes),
  OUTCOME(0x98, Reply.Outcome.class, ReplyCodec::write, ReplyCodec::readOutcome),
  USERS(0x99, Reply.Users.class, UserCodec::write, UserCodec::readUsers),
  STATUS(0x9D, Reply.Status.class, StatusCodec::write, StatusCodec::readStatus),
  DISKS(0xB4, Reply.Disks.class, StatusCodec::write, StatusCodec::readDisks),
  ZONES(0xBC, Reply.Zones.class, StatusCodec::write, StatusCodec::readZones),
  HOT_ENTRIES(0xBD, Reply.HotEntries.class, WorkCodec::write, WorkCodec::readHotEntries),
  WORK(0xBE, Reply.Work.class, WorkCodec::write, WorkCodec::readWork),
  VALUE(0xA0, Reply.Value.class, ReplyCodec::write, ReplyCodec::readValue),
  PAGE(0xA1, Reply.Page.class, ReplyCodec::write, ReplyCodec::readPage),
  COUNT(0xA4, Reply.Count.class, ReplyCodec::write, ReplyCodec::readCount),
  DONE(0xA6, Reply.Done.class, ReplyCodec::write, ReplyCodec::readDone),
  RESULT(0xA7, Reply.Result.class, FunctionCodec::write, FunctionCodec::readResult),
  SUBTREES(0xB0, Reply.Subtrees.class, StructureCodec::write, StructureCodec::readSubtrees),
  CHANGES(0xB1, Reply.Changes.class, StructureCodec::write, StructureCodec::readChanges),
  CUT_OFF_IS(0xB2, Reply.CutOffIs.class, StructureCodec::write, StructureCodec::readCutOffIs),
  FEED_CHANGES(0xB6, Reply.FeedChanges.class, FeedCodec::write, FeedCodec::readFeedChanges),
  CLONES(0xB8, Reply.Clones.class, CloneCodec::write, CloneCodec::readClones),
  PREPARED(0xBF, Reply.Prepared.class, PreparedCodec::write, PreparedCodec::readPrepared),
  FLATTENED(0xBA, Reply.Flattened.class, CloneCodec::write, CloneCodec::readFlattened),
  FAILURE(0xFF, Reply.Failure.class, ReplyCodec::write, ReplyCodec::readFailure);

  private static final Map<Class<?>, MessageType> BY_CLASS = new HashMap<>();
  private static final Map<Integer, MessageType> BY_CODE = new HashMap<>();

  static {
    for (MessageType type : values()) {
      BY_CLASS.put(type.message, type);
      BY_CODE.put(type.code, type);
    }
  }

  private final int code;
  private final Class<? extends ClientMessage> message;
  private final Writer<ClientMessage> writer;
  private final Function<ByteReader, ? extends ClientMessage> reader;

  /** The writer gets messages of the class only. */
  <M extends ClientMessage> MessageType(
      int code, Class<M> message, Writer<M> writer, Function<ByteReader, M> reader) {
    this.code = code;
    this.message = message;
    this.writer = (out, m) -> writer.write(out, message.cast(m));
    this.reader = reader;
  }

  /** Appends a message's bytes. */
  @FunctionalInterface
  interface Writer<M> {
    void write(ByteWriter out, M message);
  }

  static MessageType of(ClientMessage message) {
    MessageType type = BY_CLASS.get(message.getClass());
    if (type == null) {
      throw new IllegalArgumentException("no type for " + message.getClass());
    }
    return type;
  }

  static MessageType of(int code) {
    MessageType type = BY_CODE.get(code);
    if (type == null) {
      throw new MalformedBytesException("no message has type " + code);
    }
    return type;
  }

  int code() {
    return code;
  }

  void write(ByteWriter out, ClientMessage m) {
    writer.write(out, m);
  }

  ClientMessage read(ByteReader in) {
    return reader.apply(in);
  }
}
